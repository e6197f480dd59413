import { Button, Callout, Intent } from "@blueprintjs/core";
import { useState } from "react";
import { searchLength, searchMinimum } from "../../gateway/facility/searchText.rules.ts";
import { graphql } from "../gql/gql.ts";
import { TextField } from "../ui/field/TextField.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { failureWords, reasonOf } from "../ui/network/failureWords.ts";
import { counted } from "../ui/text/counted.ts";
import { formatDate } from "../ui/text/dates.ts";
import { client } from "../urql.ts";
import { RefusalNote } from "./RefusalNote.tsx";
import { callRegistry, type Identifier, paths, type RegisteredFacility } from "./registryCalls.ts";
import { useRegistryForm } from "./useRegistryForm.ts";

const query = graphql(`
  query MergeFormQuery($text: String!) {
    facilities(search: $text, first: 6) { totalCount nodes { id facilityUuid facilityName hmisCode district { id name } province { id name } } }
  }
`);

type Named = { facilityUuid: string; facilityName: string; district: string; province: string };
type Preview = {
  into: Named & { closedOn: string | null };
  moves: { assessments: number; tdbs: number; serviceAreas: number; siteCredential: boolean };
  identifiers: Identifier[];
  hindrance: string | null;
};
type Found = { total: number; rows: { facilityUuid: string; words: string }[] };

type MergeFormProps = {
  facility: RegisteredFacility;
  etag: string;
  systems: readonly { system: string; name: string }[];
  onMerged: (survivor: string) => void;
  onReadAgain: () => void;
};

/** Merges a facility into another one: search the other, see what would move to it, confirm. */
export function MergeForm({ facility, etag, systems, onMerged, onReadAgain }: MergeFormProps) {
  const { facilityUuid, facilityName } = facility;
  const [found, setFound] = useState<Found>();
  const [preview, setPreview] = useState<Preview>();
  const { register, handleSubmit, errors, isBusy, refusal, refuse, send } = useRegistryForm({ search: "" });

  const search = handleSubmit(async ({ search: typed }) => {
    setPreview(undefined);
    const text = typed.trim();
    if (searchLength(text) < searchMinimum)
      return refuse({
        status: 422,
        message: `Type at least ${searchMinimum} characters of the other facility's name or code.`,
        faults: [],
      });
    const { data, error } = await client.query(query, { text }, { requestPolicy: "network-only" }).toPromise();
    if (!data) return refuse({ status: 0, message: error ? reasonOf(error) : failureWords(undefined), faults: [] });
    const rows = data.facilities.nodes
      .filter((one) => one.facilityUuid !== facilityUuid)
      .map((one) => ({
        facilityUuid: one.facilityUuid,
        words: [one.facilityName, one.hmisCode, one.district.name, one.province.name].filter(Boolean).join(", "),
      }));
    setFound({ total: data.facilities.totalCount, rows });
  });
  const choose = async (into: string) => {
    setPreview(undefined);
    const answer = await send(callRegistry<Preview>("GET", paths.preview(facilityUuid, into)));
    setPreview(answer?.body);
  };
  const merge = ({ into }: Preview) =>
    handleSubmit(async () => {
      if (
        await send(callRegistry("POST", paths.act(facilityUuid, "merge"), { body: { into: into.facilityUuid }, etag }))
      )
        onMerged(into.facilityUuid);
    })();

  return (
    <form className="stack" noValidate onSubmit={(event) => void search(event)}>
      <p className="note">
        Where one site is in the list twice: this entry becomes one with the other, which stays. It can be undone for 30
        days.
      </p>
      <RefusalNote {...refusal} onReadAgain={onReadAgain} />
      <div className="grid registry-search">
        <TextField
          autoComplete="off"
          error={errors.search?.message}
          field={register("search")}
          label="The facility that stays: name, code or identifier"
        />
        <Button text="Search" type="submit" />
      </div>
      <p className="note" role="status">
        {found
          ? found.rows.length === 0
            ? "No other facility found"
            : `${counted(found.rows.length, "facility", "facilities")} to choose from${found.total > 6 ? "; more letters find it sooner" : ""}`
          : ""}
      </p>
      {found && found.rows.length > 0 ? (
        <ul className="plain stack is-close">
          {found.rows.map((row) => (
            <li key={row.facilityUuid}>
              <Button
                aria-pressed={preview?.into.facilityUuid === row.facilityUuid}
                fill
                alignText="start"
                onClick={() => void choose(row.facilityUuid)}
                text={row.words}
              />
            </li>
          ))}
        </ul>
      ) : null}
      {preview ? (
        <Callout aria-label="What the merge would do" role="region">
          {preview.hindrance ? (
            <p>{preview.hindrance}</p>
          ) : (
            <>
              <p>
                <strong>{facilityName}</strong> becomes one with <strong>{preview.into.facilityName}</strong> (
                {preview.into.district}, {preview.into.province}). To it move:
              </p>
              <ul>
                <li>{counted(preview.moves.assessments, "visit")}</li>
                <li>{counted(preview.moves.tdbs, "TDB")}</li>
                <li>{counted(preview.moves.serviceAreas, "service area")}</li>
                {preview.moves.siteCredential ? <li>the site credential</li> : null}
                <li>
                  {preview.identifiers.length > 0
                    ? `the identifiers ${preview.identifiers.map(({ system, value }) => `${systems.find((known) => known.system === system)?.name ?? system} ${value}`).join(", ")}`
                    : "no identifiers"}
                </li>
              </ul>
              <p>The address of this facility will lead there.</p>
              {preview.into.closedOn === null || facility.closedOn !== null ? null : (
                <p>
                  {preview.into.facilityName} is closed since {formatDate(preview.into.closedOn)}: {facilityName} leaves
                  lists and counts from then on.
                </p>
              )}
              <div className="row">
                <BusyButton
                  intent={Intent.DANGER}
                  isBusy={isBusy}
                  onClick={() => void merge(preview)}
                  text={`Merge into ${preview.into.facilityName}`}
                />
                <Button onClick={() => setPreview(undefined)} text="Cancel" />
              </div>
            </>
          )}
        </Callout>
      ) : null}
    </form>
  );
}
