import { Button, Checkbox } from "@blueprintjs/core";
import { useEffect, useState } from "react";
import { graphql } from "../gql/gql.ts";
import { TextField } from "../ui/field/TextField.tsx";
import { DialogForm } from "../ui/form/DialogForm.tsx";
import { Failure } from "../ui/notice/Failure.tsx";
import { Loading } from "../ui/notice/Loading.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { counted, formatNumber } from "../ui/text/counted.ts";
import { formatDate } from "../ui/text/dates.ts";
import { client } from "../urql.ts";
import { partNames, placeNames } from "./placeWords.ts";
import { RefusalNote } from "./RefusalNote.tsx";
import { callRegistry, paths, type PlaceFormProps, type RegistryPlace } from "./registryCalls.ts";
import { useRegistryForm } from "./useRegistryForm.ts";

const query = graphql(`
  query PlaceSplitDialogQuery($ofProvince: Boolean!, $districtId: Int, $implementingPartnerId: Int, $closed: Boolean, $after: String) {
    registryPlaces(kind: district) @include(if: $ofProvince) { place { placeId name provinceId isOpen closedOn } }
    facilities(first: 100, after: $after, districtId: $districtId, implementingPartnerId: $implementingPartnerId, filter: { closed: $closed }) @skip(if: $ofProvince) {
      nodes { id facilityUuid facilityName hmisCode closedOn district { id name } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

/** A district of a province, or a facility of a district or partner. `about` distinguishes those with the same name. */
type PlacePart = { key: string; name: string; about: string };

const words = (parts: (string | null | undefined)[]): string => parts.filter(Boolean).join(", ");
const closing = (closedOn: string | null): string => (closedOn === null ? "" : `closed since ${formatDate(closedOn)}`);

async function listFacilities({ kind, id }: RegistryPlace, closed: boolean | null): Promise<PlacePart[]> {
  const scope = kind === "district" ? { districtId: id } : { implementingPartnerId: id };
  const found: PlacePart[] = [];
  let after: string | null = null;
  do {
    const { data, error }: Awaited<ReturnType<typeof ask>> = await ask({ ofProvince: false, ...scope, closed, after });
    if (!data?.facilities) throw error ?? new Error("no answer");
    for (const one of data.facilities.nodes)
      found.push({
        key: one.facilityUuid,
        name: one.facilityName,
        about: words([one.hmisCode, kind === "district" ? "" : one.district.name, closing(one.closedOn)]),
      });
    const { hasNextPage, endCursor } = data.facilities.pageInfo;
    after = hasNextPage ? (endCursor ?? null) : null;
  } while (after !== null);
  return found;
}

const ask = (variables: {
  ofProvince: boolean;
  districtId?: number;
  implementingPartnerId?: number;
  closed?: boolean | null;
  after?: string | null;
}) => client.query(query, variables, { requestPolicy: "network-only" }).toPromise();

/** The parts of a place or partner, the closed ones last. @throws if the server cannot be reached */
async function listParts(place: RegistryPlace): Promise<PlacePart[]> {
  if (place.kind !== "province")
    return [...(await listFacilities(place, null)), ...(await listFacilities(place, true))];
  const { data, error } = await ask({ ofProvince: true });
  if (!data?.registryPlaces) throw error ?? new Error("no answer");
  return data.registryPlaces
    .filter(({ place: { provinceId } }) => provinceId === place.id)
    .map(({ place: { placeId, name, closedOn } }) => ({ key: String(placeId), name, about: closing(closedOn) }));
}

/** With more rows than this, they are found by a part of their name. */
const mostShown = 100;

type PartsFieldProps = {
  label: string;
  one: string;
  many: string;
  parts: readonly PlacePart[];
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
};

/** A choice of several from many, found by a part of their name. Chosen ones stay chosen during further searches. */
function PartsField({ label, one, many, parts, chosen, onChoose }: PartsFieldProps) {
  const [typed, setTyped] = useState("");
  const named = typed.trim().toLowerCase();
  const found = parts.filter(({ name, about }) => `${name} ${about}`.toLowerCase().includes(named));
  const shown = found.slice(0, mostShown);
  const flip = (key: string) => {
    const next = new Set(chosen);
    if (!next.delete(key)) next.add(key);
    onChoose(next);
  };
  return (
    <fieldset className="stack">
      <legend>{label}</legend>
      <TextField
        autoComplete="off"
        field={{ name: "part", value: typed, onChange: ({ currentTarget }) => setTyped(currentTarget.value) }}
        label="Part of the name"
      />
      <ul className="is-scrolling plain">
        {shown.map(({ key, name, about }) => (
          <li key={key}>
            <Checkbox checked={chosen.has(key)} onChange={() => flip(key)}>
              {name} {about ? <span className="note">{about}</span> : null}
            </Checkbox>
          </li>
        ))}
      </ul>
      {found.length > shown.length ? (
        <p className="note">{`${formatNumber(found.length - shown.length)} more: type a part of the name to see them.`}</p>
      ) : null}
      <p className="note" role="status">
        {found.length === 0 ? `No ${one} has this in its name. ` : ""}
        {`${formatNumber(chosen.size)} of ${counted(parts.length, one, many)} chosen`}
      </p>
      <div className="row">
        <Button
          disabled={found.length === 0}
          onClick={() => onChoose(new Set([...chosen, ...found.map(({ key }) => key)]))}
          text={named ? "Choose all found" : "Choose all"}
        />
        <Button disabled={chosen.size === 0} onClick={() => onChoose(new Set())} text="Choose none" />
      </div>
    </fieldset>
  );
}

/** The result of a split: the place that was split, the new one, and how many parts moved to it. */
type PlaceSplit = { from: RegistryPlace; into: RegistryPlace; moved: number };
type PlaceSplitDialogProps = PlaceFormProps & {
  isOpen: boolean;
  onClose: () => void;
  onSplit: (split: PlaceSplit) => void;
};

/** Splits a place or partner: asks for the name of the new one, and which districts or facilities move to it. */
export function PlaceSplitDialog({ isOpen, onClose, ...form }: PlaceSplitDialogProps) {
  return (
    <ModalDialog isOpen={isOpen} onClose={onClose} title={`Split ${form.place.name}`}>
      <PlaceSplitForm {...form} onClose={onClose} />
    </ModalDialog>
  );
}

function PlaceSplitForm({ place, etag, onClose, onSplit, onReadAgain }: Omit<PlaceSplitDialogProps, "isOpen">) {
  const { kind, id, name: present } = place;
  const [parts, setParts] = useState<readonly PlacePart[]>();
  const [hasFailed, setFailed] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { register, handleSubmit, errors, isBusy, refusal, refuse, send } = useRegistryForm({ name: "" });
  const { field, one, many } = partNames[kind];
  useEffect(() => {
    listParts(place).then(setParts, () => setFailed(true));
  }, [place]);
  const readAgain = () => {
    setFailed(false);
    listParts(place).then(setParts, () => setFailed(true));
  };

  const submit = handleSubmit(async ({ name }) => {
    if (chosen.size === 0 || chosen.size === parts?.length)
      return refuse({
        status: 422,
        message:
          chosen.size === 0
            ? `Choose the ${many} that go to the new ${placeNames[kind].one}.`
            : `All ${many} are chosen: at least one stays with ${present}.`,
        faults: [],
      });
    const body = { name, [field]: kind === "province" ? [...chosen].map(Number) : [...chosen] };
    const done = await send(callRegistry<PlaceSplit>("POST", paths.placeAct(kind, id, "split"), { body, etag }));
    if (done) onSplit(done.body);
  });
  return (
    <DialogForm
      action={chosen.size === 0 ? "Split" : `Split off ${counted(chosen.size, one, many)}`}
      closing="Cancel"
      isBusy={isBusy}
      isDisabled={!parts}
      onClose={onClose}
      onSubmit={submit}
    >
      <RefusalNote {...refusal} onReadAgain={onReadAgain} />
      <TextField
        autoComplete="off"
        error={errors.name?.message}
        field={register("name")}
        isName
        isRequired
        label={`Name of the new ${placeNames[kind].one}`}
      />
      {parts ? (
        <PartsField
          chosen={chosen}
          label={`What goes to the new ${placeNames[kind].one}`}
          many={many}
          one={one}
          onChoose={setChosen}
          parts={parts}
        />
      ) : null}
      {hasFailed ? (
        <Failure message={`The list of ${many} cannot be had now.`} onRetry={readAgain} />
      ) : parts ? null : (
        <Loading />
      )}
    </DialogForm>
  );
}
