import { useCallback, useEffect, useState } from "react";
import { Link, useNavigate, useParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import { routes } from "../routes.ts";
import { guarded } from "../shell/session/guard.ts";
import { useToday } from "../shell/session/viewer.ts";
import { showSuccess } from "../shell/toast/toaster.tsx";
import { Failure } from "../ui/notice/Failure.tsx";
import { Loading } from "../ui/notice/Loading.tsx";
import { NotFoundNotice } from "../ui/notice/NotFoundNotice.tsx";
import { Page } from "../ui/page/Page.tsx";
import { formatDate } from "../ui/text/dates.ts";
import { screenLoader, useScreenQuery } from "../urql.ts";
import { ClosingForm } from "./ClosingForm.tsx";
import { IdentifiersForm } from "./IdentifiersForm.tsx";
import { MergeForm } from "./MergeForm.tsx";
import { RegisteredFieldsForm } from "./RegisteredFieldsForm.tsx";
import { callRegistry, type Identifier, paths, type Refusal, type RegisteredFacility } from "./registryCalls.ts";
import { RegistrySection } from "./RegistrySection.tsx";
import "./registry.css";

const query = graphql(`
  query FacilityRegistryScreenQuery {
    identifierSystems { system name }
  }
`);

export const loader = guarded(
  "editRegistry",
  screenLoader(query, () => ({})),
);

/**
 * A facility as it was read, with the ETags; `round` counts how often the forms were started again, `identifiersRound`
 * how often that of the identifiers was.
 */
type Read = {
  facility: RegisteredFacility;
  etag: string;
  identifiers: Identifier[];
  identifiersTag: string;
  round: number;
  identifiersRound: number;
};

/** Reads a facility and its identifiers, each with its ETag. */
async function readRegistered(
  facilityUuid: string,
): Promise<{ read?: Omit<Read, "round" | "identifiersRound">; refusal?: Refusal }> {
  const [facility, known] = await Promise.all([
    callRegistry<RegisteredFacility>("GET", paths.metadata(facilityUuid)),
    callRegistry<{ identifiers: Identifier[] }>("GET", paths.identifiers(facilityUuid)),
  ]);
  const refusal = facility.refusal ?? known.refusal;
  if (facility.refusal || known.refusal) return { refusal };
  const { identifiers } = known.body;
  return { read: { facility: facility.body, etag: facility.etag, identifiers, identifiersTag: known.etag } };
}

/**
 * A facility as it was last read. `reload` reads it again; `isReset`: the forms start again too. That of the
 * identifiers also does when they are others than it shows: `shownTag` is their ETag after its own save, which keeps
 * what has been typed into it since.
 */
function useRegistered(facilityUuid: string) {
  const [read, setRead] = useState<Read>();
  const [refusal, setRefusal] = useState<Refusal>();
  type Asked = { isReset: boolean; shownTag?: string | undefined };
  const show = useCallback((found: Awaited<ReturnType<typeof readRegistered>>, { isReset, shownTag }: Asked) => {
    setRefusal(found.refusal);
    const next = found.read;
    if (!next) return;
    setRead((old) => ({
      ...next,
      round: (old?.round ?? 0) + (isReset ? 1 : 0),
      identifiersRound:
        (old?.identifiersRound ?? 0) + (next.identifiersTag === (shownTag ?? old?.identifiersTag) ? 0 : 1),
    }));
  }, []);
  useEffect(() => {
    void readRegistered(facilityUuid).then((found) => show(found, { isReset: true }));
  }, [facilityUuid, show]);
  const reload = async (asked: Asked) => show(await readRegistered(facilityUuid), asked);
  return { read, refusal, reload };
}

/** A facility in the registry: its name and place, its identifiers, closing it, and merging it into another one. */
export function FacilityRegistryScreen() {
  const facilityUuid = useParams()["facilityUuid"] ?? "";
  return <RegisteredParts facilityUuid={facilityUuid} key={facilityUuid} />;
}

function RegisteredParts({ facilityUuid }: { facilityUuid: string }) {
  const navigate = useNavigate();
  const today = useToday();
  const { read, refusal, reload } = useRegistered(facilityUuid);
  const { data } = useScreenQuery(query, {});
  const again = () => void reload({ isReset: true });

  if (refusal && !read)
    return refusal.status === 404 || refusal.status === 422 ? (
      <NotFoundNotice what="facility" />
    ) : (
      <Failure message={refusal.message} onRetry={again} />
    );
  if (!read || !data?.identifierSystems)
    return (
      <Page title="Registry">
        <Loading />
      </Page>
    );
  const { facility, etag, identifiers, identifiersTag, round, identifiersRound } = read;
  const systems = data.identifierSystems;
  const nameOf = (system: string) => systems.find((one) => one.system === system)?.name ?? system;
  /** Says that it is saved when the forms have the ETags of what is stored now. */
  const saved = async (words: string, shownTag?: string) => {
    await reload({ isReset: false, shownTag });
    showSuccess(words);
  };
  return (
    <Page
      title={`Registry: ${facility.facilityName}`}
      subtitle={<Link to={routes.facility(facility.facilityUuid)}>The facility's page</Link>}
    >
      {refusal ? <Failure message={refusal.message} onRetry={again} /> : null}
      <RegistrySection title="Name, place and kind">
        <RegisteredFieldsForm
          action="Save changes"
          facility={facility}
          key={round}
          onReadAgain={again}
          onSave={(body) => callRegistry("PATCH", paths.facility(facility.facilityUuid), { body, etag })}
          onSaved={({ body }) => void saved(`Saved ${body.facilityName}, ${body.district}`)}
        />
      </RegistrySection>
      <RegistrySection
        brief={identifiers.map(({ system, value }) => `${nameOf(system)} ${value}`).join(" · ") || "none"}
        fold="identifiers"
        title="Identifiers"
      >
        <IdentifiersForm
          etag={identifiersTag}
          facilityUuid={facility.facilityUuid}
          identifiers={identifiers}
          key={`${round} ${identifiersRound}`}
          onReadAgain={again}
          onSaved={(tag) => saved("Saved the identifiers", tag)}
          systems={systems}
          today={today}
        />
      </RegistrySection>
      <RegistrySection
        fold={facility.closedOn === null ? "close" : undefined}
        title={facility.closedOn === null ? "Close" : "Open again"}
      >
        <ClosingForm
          action="Close facility"
          etag={etag}
          hasReason
          isOpen={facility.closedOn === null}
          key={`${round} ${facility.closedOn}`}
          name={facility.facilityName}
          note="From that day on it leaves lists, counts and expectations. Its history stays, and questions as at an earlier day count it."
          onReadAgain={again}
          onSaved={(words) => void saved(words)}
          pathOf={(act) => paths.act(facility.facilityUuid, act)}
          state={`Closed since ${formatDate(facility.closedOn ?? today)}: ${facility.closeReason}`}
          today={today}
        />
      </RegistrySection>
      <RegistrySection fold="merge" title="Merge into another facility">
        <MergeForm
          etag={etag}
          facility={facility}
          key={`${round} ${etag} ${identifiersTag}`}
          onMerged={(survivor) => {
            showSuccess("The facilities are merged. This can be undone for 30 days.");
            navigate(routes.facility(survivor));
          }}
          onReadAgain={again}
          systems={systems}
        />
      </RegistrySection>
    </Page>
  );
}
