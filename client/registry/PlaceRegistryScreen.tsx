import { Button } from "@blueprintjs/core";
import { useCallback, useEffect, useState } from "react";
import { Link, useNavigate, useParams } from "react-router-dom";
import type { PlaceKind } from "../../gateway/reference/place.rules.ts";
import { routes } from "../routes.ts";
import { guarded } from "../shell/session/guard.ts";
import { useToday } from "../shell/session/viewer.ts";
import { showSuccess } from "../shell/toast/toaster.tsx";
import { idInPath } from "../ui/list/idInPath.ts";
import { Failure } from "../ui/notice/Failure.tsx";
import { Loading } from "../ui/notice/Loading.tsx";
import { NotFoundNotice } from "../ui/notice/NotFoundNotice.tsx";
import { Page } from "../ui/page/Page.tsx";
import { counted } from "../ui/text/counted.ts";
import { PlaceClosingForm } from "./PlaceClosingForm.tsx";
import { PlaceNameForm } from "./PlaceNameForm.tsx";
import { PlaceRemovalForm } from "./PlaceRemovalForm.tsx";
import { PlaceSplitDialog } from "./PlaceSplitDialog.tsx";
import { partNames, placeNames, stateOf } from "./placeWords.ts";
import { callRegistry, paths, type Refusal, type RegistryPlace } from "./registryCalls.ts";
import { RegistrySection } from "./RegistrySection.tsx";
import "./registry.css";

export const loader = guarded("editRegistry");

type Read = { place: RegistryPlace; etag: string; round: number };

/** What the registry keeps of a province, a district or a partner. */
export function PlaceRegistryScreen() {
  const { placeKind = "", id: typed } = useParams();
  const id = idInPath(typed);
  return id === undefined || !Object.hasOwn(placeNames, placeKind) ? <NotFoundNotice what="place" /> : <PlaceParts id={id} key={`${placeKind} ${id}`} kind={placeKind as PlaceKind} />;
}

const readPlace = (kind: PlaceKind, id: number) => callRegistry<RegistryPlace>("GET", paths.place(kind, id));

function PlaceParts({ kind, id }: { kind: PlaceKind; id: number }) {
  const navigate = useNavigate();
  const today = useToday();
  const [read, setRead] = useState<Read>();
  const [refusal, setRefusal] = useState<Refusal>();
  const [isSplitting, setSplitting] = useState(false);
  const { one, titles } = placeNames[kind];
  const show = useCallback((answer: Awaited<ReturnType<typeof readPlace>>) => {
    setRefusal(answer.refusal);
    if (answer.refusal) return;
    setRead((old) => ({ place: answer.body, etag: answer.etag, round: (old?.round ?? 0) + 1 }));
  }, []);
  useEffect(() => {
    void readPlace(kind, id).then(show);
  }, [kind, id, show]);
  const again = () => void readPlace(kind, id).then(show);

  if (refusal && !read) return refusal.status === 404 || refusal.status === 422 ? <NotFoundNotice what={one} /> : <Failure message={refusal.message} onRetry={again} />;
  if (!read)
    return (
      <Page title="Registry">
        <Loading />
      </Page>
    );
  const { place, etag, round } = read;
  const saved = (words: string) => {
    showSuccess(words);
    again();
  };
  const form = { place, etag, onReadAgain: again };
  return (
    <Page title={`Registry: ${place.name}`} subtitle={<Link to={routes.registry(`${kind}s`)}>{titles} of the registry</Link>}>
      {refusal ? <Failure message={refusal.message} onRetry={again} /> : null}
      <p className="note">{[placeNames[kind].title, place.province, stateOf(place)].filter(Boolean).join(" · ")}</p>
      <RegistrySection title={kind === "district" ? "Name and province" : "Name"}>
        <PlaceNameForm {...form} key={round} onSaved={saved} />
      </RegistrySection>
      {place.isOpen ? (
        <RegistrySection title="Split">
          <p className="note">
            Some of its {partNames[kind].many} go to a new {one}, with their visits, TDBs and counts.
          </p>
          <div className="row">
            <Button onClick={() => setSplitting(true)} text={`Split ${one}`} />
          </div>
          <PlaceSplitDialog
            {...form}
            isOpen={isSplitting}
            key={round}
            onClose={() => setSplitting(false)}
            onSplit={({ into, moved }) => {
              setSplitting(false);
              showSuccess(`${into.name} is made of ${counted(moved, partNames[kind].one, partNames[kind].many)} of ${place.name}`);
              navigate(routes.registryPlace(kind, into.id));
            }}
          />
        </RegistrySection>
      ) : null}
      <RegistrySection title={place.isOpen ? "Close" : "Open again"}>
        <PlaceClosingForm {...form} key={round} onSaved={saved} today={today} />
      </RegistrySection>
      <RegistrySection title="Remove">
        <PlaceRemovalForm
          {...form}
          key={round}
          onRemoved={() => {
            showSuccess(`${place.name} is removed`);
            navigate(routes.registry(`${kind}s`));
          }}
        />
      </RegistrySection>
    </Page>
  );
}
