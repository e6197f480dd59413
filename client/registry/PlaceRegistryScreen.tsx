import { Button, Intent } from "@blueprintjs/core";
import { useCallback, useEffect, useState } from "react";
import { Link, useNavigate, useParams } from "react-router-dom";
import type { PlaceKind } from "../../gateway/reference/place.rules.ts";
import { routes } from "../routes.ts";
import { guarded } from "../shell/session/guard.ts";
import { useToday } from "../shell/session/viewer.ts";
import { showSuccess } from "../shell/toast/toaster.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { idInPath } from "../ui/list/idInPath.ts";
import { Failure } from "../ui/notice/Failure.tsx";
import { Loading } from "../ui/notice/Loading.tsx";
import { NotFoundNotice } from "../ui/notice/NotFoundNotice.tsx";
import { Page } from "../ui/page/Page.tsx";
import { QuestionDialog } from "../ui/page/QuestionDialog.tsx";
import { counted } from "../ui/text/counted.ts";
import { ClosingForm } from "./ClosingForm.tsx";
import { PlaceSplitDialog } from "./PlaceSplitDialog.tsx";
import { partNames, placeNames, stateOf } from "./placeWords.ts";
import { ProvinceField } from "./ProvinceField.tsx";
import { RefusalNote } from "./RefusalNote.tsx";
import { callRegistry, paths, type PlaceFormProps, type Refusal, type RegistryPlace } from "./registryCalls.ts";
import { RegistrySection } from "./RegistrySection.tsx";
import { useRegistryForm } from "./useRegistryForm.ts";
import "./registry.css";

export const loader = guarded("editRegistry");

type Read = { place: RegistryPlace; etag: string; round: number };

/** Renames a province, a district or a partner; a district can be moved to another province. */
function NameForm({ place, etag, onSaved, onReadAgain }: PlaceFormProps & { onSaved: (words: string) => void }) {
  const isDistrict = place.kind === "district";
  const { register, handleSubmit, formState, errors, isBusy, refusal, send } = useRegistryForm<{
    name: string;
    provinceId?: string;
  }>({
    name: place.name,
    ...(isDistrict ? { provinceId: String(place.provinceId) } : {}),
  });
  const submit = handleSubmit(async ({ name, provinceId }) => {
    const { dirtyFields } = formState;
    const body = {
      ...(dirtyFields.name ? { name } : {}),
      ...(dirtyFields.provinceId ? { provinceId: Number(provinceId) } : {}),
    };
    const saved = await send(callRegistry<RegistryPlace>("PATCH", paths.place(place.kind, place.id), { body, etag }));
    if (saved) onSaved(`Saved ${saved.body.name}${saved.body.province ? `, ${saved.body.province}` : ""}`);
  });
  return (
    <form className="stack" noValidate onSubmit={(event) => void submit(event)}>
      <RefusalNote {...refusal} onReadAgain={onReadAgain} />
      <div className="grid">
        <TextField
          autoComplete="off"
          error={errors.name?.message}
          field={register("name")}
          isName
          isRequired
          label="Name"
        />
        {isDistrict ? (
          <ProvinceField
            error={errors.provinceId?.message}
            field={register("provinceId")}
            help="Its facilities move with it."
            present={place}
          />
        ) : null}
      </div>
      <div className="row">
        <BusyButton
          disabled={!formState.isDirty}
          intent={Intent.PRIMARY}
          isBusy={isBusy}
          text="Save changes"
          type="submit"
        />
      </div>
    </form>
  );
}

/**
 * Removes a place or partner on which nothing depends, for example a misspelt one. A refusal says what depends on it.
 */
function RemovalForm({ place, etag, onRemoved, onReadAgain }: PlaceFormProps & { onRemoved: () => void }) {
  const { kind, id, name } = place;
  const [isAsked, setAsked] = useState<boolean>();
  const { handleSubmit, refusal, send } = useRegistryForm({});
  const remove = handleSubmit(async () => {
    const done = await send(callRegistry("DELETE", paths.place(kind, id), { etag }));
    setAsked(false);
    if (done) onRemoved();
  });
  return (
    <div className="stack">
      <RefusalNote {...refusal} onReadAgain={onReadAgain} />
      <p className="note">
        Only a {placeNames[kind].one} that nothing depends on can be removed. What was once in use is closed instead.
      </p>
      <div className="row">
        <Button intent={Intent.DANGER} onClick={() => setAsked(true)} text={`Remove ${placeNames[kind].one}`} />
      </div>
      <QuestionDialog
        asked={isAsked}
        intent={Intent.DANGER}
        onClose={setAsked}
        onConfirm={() => remove()}
        title="Remove"
      >
        {name} is removed for good, with its outline on maps.
      </QuestionDialog>
    </div>
  );
}

/** What the registry keeps of a province, a district or a partner. */
export function PlaceRegistryScreen() {
  const { placeKind = "", id: typed } = useParams();
  const id = idInPath(typed);
  return id === undefined || !Object.hasOwn(placeNames, placeKind) ? (
    <NotFoundNotice what="place" />
  ) : (
    <PlaceParts id={id} key={`${placeKind} ${id}`} kind={placeKind as PlaceKind} />
  );
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

  if (refusal && !read)
    return refusal.status === 404 || refusal.status === 422 ? (
      <NotFoundNotice what={one} />
    ) : (
      <Failure message={refusal.message} onRetry={again} />
    );
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
    <Page
      title={`Registry: ${place.name}`}
      subtitle={<Link to={routes.registry(`${kind}s`)}>{titles} of the registry</Link>}
    >
      {refusal ? <Failure message={refusal.message} onRetry={again} /> : null}
      <p className="note">{[placeNames[kind].title, place.province, stateOf(place)].filter(Boolean).join(" · ")}</p>
      <RegistrySection title={kind === "district" ? "Name and province" : "Name"}>
        <NameForm {...form} key={round} onSaved={saved} />
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
              showSuccess(
                `${into.name} is made of ${counted(moved, partNames[kind].one, partNames[kind].many)} of ${place.name}`,
              );
              navigate(routes.registryPlace(kind, into.id));
            }}
          />
        </RegistrySection>
      ) : null}
      <RegistrySection title={place.isOpen ? "Close" : "Open again"}>
        <ClosingForm
          action="Close"
          etag={etag}
          isOpen={place.isOpen}
          key={round}
          name={place.name}
          note={`Lists to choose from leave it out. Its history stays. ${kind === "implementingPartner" ? "Facilities that it supports keep it until they are given another one." : "It must have no open facility."}`}
          onReadAgain={again}
          onSaved={saved}
          pathOf={(act) => paths.placeAct(kind, id, act)}
          state={stateOf(place)}
          today={today}
        />
      </RegistrySection>
      <RegistrySection title="Remove">
        <RemovalForm
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
