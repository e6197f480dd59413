import { Button, Checkbox, HTMLSelect, Intent } from "@blueprintjs/core";
import { CloudDownloadIcon } from "@blueprintjs/icons";
import { useState } from "react";
import type { SubmitEvent } from "react";
import { useMay } from "../shell/session/viewer.ts";
import { Field } from "../ui/field/Field.tsx";
import type { FieldChoice } from "./fieldDownload.ts";

type Place = { provinceId: number; name: string; districts: { districtId: number; name: string }[] };
type Partner = { implementingPartnerId: number; implementingPartner: string };
type List = { uuid: string; name: string; sites: number; closedSites: number; districtIds: number[] };

const kinds = {
  district: "A district",
  province: "A province",
  partner: "A partner's sites",
  list: "A field list",
  country: "The whole country",
} as const;
type Kind = keyof typeof kinds;

/** Last visits contain contacts, so they are offered for a few districts only. */
const mostDistricts = 40;

type FieldScopeFormProps = {
  places: readonly Place[];
  partners: readonly Partner[];
  lists: readonly List[];
  /** The uuid of the field list that is offered first. */
  firstList: string | null;
  isBusy: boolean;
  onPrepare: (choice: FieldChoice) => void;
};

/** What to download for work without network: which sites, and the last visits of which districts. */
export function FieldScopeForm({ places, partners, lists, firstList, isBusy, onPrepare }: FieldScopeFormProps) {
  const mayView = useMay("viewAssessments");
  const [kind, setKind] = useState<Kind>(firstList !== null && lists.length > 0 ? "list" : "district");
  const [chosen, setChosen] = useState<Partial<Record<Kind, string>>>(firstList === null ? {} : { list: firstList });
  const [left, setLeft] = useState<{ [scope: string]: number[] }>({});

  const districts = places.flatMap(({ districts: of, name: province }) =>
    of.map((district) => ({ ...district, province })),
  );
  const options: Record<Exclude<Kind, "country">, { value: string; label: string }[]> = {
    district: districts
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
      .map(({ districtId, name, province }) => ({ value: String(districtId), label: `${name} (${province})` })),
    province: places.map(({ provinceId, name }) => ({ value: String(provinceId), label: name })),
    partner: partners.map(({ implementingPartnerId, implementingPartner }) => ({
      value: String(implementingPartnerId),
      label: implementingPartner,
    })),
    list: lists.map(({ uuid, name }) => ({ value: uuid, label: name })),
  };
  const offers = kind === "country" ? [] : options[kind];
  const { value: key, label: nameOf } = offers.find(({ value }) => value === chosen[kind]) ??
    offers[0] ?? { label: "" };
  const id = Number(key);
  const list = kind === "list" ? lists.find(({ uuid }) => uuid === key) : undefined;
  const within = places.filter(({ provinceId, districts: of }) =>
    kind === "province"
      ? provinceId === id
      : kind === "district"
        ? of.some(({ districtId }) => districtId === id)
        : true,
  );
  const offered = within
    .flatMap(({ districts: of }) => of)
    .filter(({ districtId }) => kind !== "district" || districtId === id)
    .filter(({ districtId }) => !list || list.districtIds.includes(districtId));
  const scopeKey = `${kind} ${key}`;
  // By default all districts of a chosen place or list; none for the country or a partner.
  const isPlace = kind === "district" || kind === "province" || (kind === "list" && offered.length <= mostDistricts);
  const isEmpty = list !== undefined && list.sites === list.closedSites;
  const wanted = (left[scopeKey] ?? (isPlace ? offered.map(({ districtId }) => districtId) : [])).filter((one) =>
    offered.some(({ districtId }) => districtId === one),
  );
  const tooMany = mayView && wanted.length > mostDistricts;
  const flip = (districtId: number) =>
    setLeft({
      ...left,
      [scopeKey]: wanted.includes(districtId) ? wanted.filter((one) => one !== districtId) : [...wanted, districtId],
    });

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy || tooMany || isEmpty) return;
    const scopes = {
      district: { districtId: id },
      province: { provinceId: id },
      partner: { implementingPartnerId: id },
      list: { fieldList: key },
      country: {},
    };
    onPrepare({
      scope: JSON.parse(JSON.stringify(scopes[kind])) as FieldChoice["scope"],
      scopeName:
        kind === "country"
          ? "the whole country"
          : kind === "province"
            ? `${nameOf} Province`
            : kind === "district"
              ? `${nameOf.replace(/ \(.*$/, "")} District`
              : kind === "list"
                ? `the field list “${nameOf}”`
                : nameOf,
      provinceIds: within.map(({ provinceId }) => provinceId),
      districts: mayView
        ? offered
            .filter(({ districtId }) => wanted.includes(districtId))
            .map(({ districtId, name }) => ({ districtId, district: name }))
        : [],
    });
  };

  const check = ({ districtId, name }: Place["districts"][number]) => (
    <Checkbox checked={wanted.includes(districtId)} key={districtId} label={name} onChange={() => flip(districtId)} />
  );
  return (
    <form className="stack" onSubmit={submit}>
      <div className="grid">
        <Field label="What to download">
          {(control) => (
            <HTMLSelect
              {...control}
              fill
              onChange={({ currentTarget }) => setKind(currentTarget.value as Kind)}
              options={Object.entries(kinds)
                .filter(([value]) => value !== "list" || lists.length > 0)
                .map(([value, label]) => ({ value, label }))}
              value={kind}
            />
          )}
        </Field>
        {kind === "country" ? null : (
          <Field
            label={
              { district: "District", province: "Province", partner: "Implementing partner", list: "Field list" }[kind]
            }
          >
            {(control) => (
              <HTMLSelect
                {...control}
                fill
                onChange={({ currentTarget }) => setChosen({ ...chosen, [kind]: currentTarget.value })}
                options={options[kind]}
                value={key}
              />
            )}
          </Field>
        )}
      </div>
      {mayView ? (
        <fieldset>
          <legend>With the last visit&rsquo;s answers of these districts</legend>
          {isPlace ? (
            <div className="grid is-close">{offered.map(check)}</div>
          ) : (
            within.map(({ provinceId, name, districts: of }) => (
              <details key={provinceId}>
                <summary>
                  {name} ({of.filter(({ districtId }) => wanted.includes(districtId)).length} of {of.length})
                </summary>
                <div className="grid is-close">{of.map(check)}</div>
              </details>
            ))
          )}
          {tooMany ? (
            <p className="bad" role="alert">
              At most {mostDistricts} districts: {wanted.length} are chosen.
            </p>
          ) : null}
        </fieldset>
      ) : null}
      {isEmpty ? <p className="note">This list has no open sites: add some on the facility list first.</p> : null}
      <div>
        <Button
          disabled={tooMany || isEmpty}
          icon={<CloudDownloadIcon />}
          intent={Intent.PRIMARY}
          text="Download"
          type="submit"
        />
      </div>
    </form>
  );
}
