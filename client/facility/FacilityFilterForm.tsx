import { Checkbox, FormGroup, HTMLSelect, InputGroup } from "@blueprintjs/core";
import { useId, useState } from "react";
import { useParams, useSearchParams } from "react-router-dom";
import {
  isListText,
  listedModeLabels,
  listedModes,
  type ListParameter,
  type ListParameterName,
  listParameterNames,
  listParameters,
} from "../../gateway/facility/listFilter.rules.ts";
import { may } from "../../gateway/access/access.rules.ts";
import { graphql } from "../gql/gql.ts";
import { useViewer } from "../shell/session/viewer.ts";
import { FilterPanel } from "../ui/filter/FilterPanel.tsx";
import type { FilterFormOpening } from "../ui/filter/ListBar.tsx";
import { useListAddress } from "../ui/filter/listAddress.ts";
import { useScreenQuery } from "../urql.ts";
import { noPartner, textsIn } from "./facilityFilter.ts";

const query = graphql(`
  query FacilityFilterFormQuery($provinceId: Int) {
    provinces(first: 100) { nodes { id provinceId name } }
    districts(provinceId: $provinceId, first: 100) { nodes { id districtId name } }
    implementingPartners(active: null, first: 100) { nodes { id implementingPartnerId implementingPartner } }
  }
`);

type ChoiceProps = { label: string; name: string; value: string; options: readonly (readonly [value: string, words: string])[]; clears?: string };

/** One choice; an empty one leaves the address without it. */
function Choice({ label, name, value, options, clears }: ChoiceProps) {
  const id = useId();
  const change = useListAddress();
  return (
    <FormGroup label={label} labelFor={id}>
      <HTMLSelect fill id={id} onChange={(event) => change({ [name]: event.currentTarget.value, ...(clears ? { [clears]: "" } : {}) })} value={value}>
        <option value="">Any</option>
        {options.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </HTMLSelect>
    </FormGroup>
  );
}

/** A text, a number or a day; it takes effect when one leaves the field or presses Enter. */
function Typed({ name, parameter, value }: { name: ListParameterName; parameter: ListParameter; value: string }) {
  const id = useId();
  const change = useListAddress();
  const [seen, setSeen] = useState(value);
  const [typed, setTyped] = useState(value);
  if (seen !== value) {
    setSeen(value);
    setTyped(value);
  }
  const isWrong = typed !== "" && !isListText(name, typed);
  const commit = () => {
    if (!isWrong && typed.trim() !== value) change({ [name]: typed.trim() });
  };
  return (
    <FormGroup helperText={isWrong ? "This cannot be asked for." : undefined} label={parameter.label} labelFor={id}>
      <InputGroup
        autoComplete="off"
        id={id}
        inputMode={parameter.kind === "count" ? "numeric" : undefined}
        maxLength={256}
        onBlur={commit}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") commit();
        }}
        type={parameter.kind === "day" ? "date" : "text"}
        value={typed}
      />
    </FormGroup>
  );
}

function Modes({ value }: { value: string }) {
  const change = useListAddress();
  const chosen = value ? value.split(",") : [];
  const toggle = (mode: string) => {
    const next = listedModes.filter((one) => (one === mode) !== chosen.includes(one));
    change({ modes: next.join(",") });
  };
  return (
    <fieldset className="filter-panel-wide">
      <legend>{listParameters.modes.label}</legend>
      <div className="filter-panel-choices">
        {listedModes.map((mode) => (
          <Checkbox checked={chosen.includes(mode)} key={mode} label={listedModeLabels[mode]} onChange={() => toggle(mode)} />
        ))}
      </div>
    </fieldset>
  );
}

function Fields() {
  const params = useParams();
  const [url] = useSearchParams();
  const { privileges } = useViewer();
  const texts = textsIn(url);
  const provinceId = params["provinceId"] ?? url.get("provinceId") ?? "";
  const { data } = useScreenQuery(query, { provinceId: provinceId ? Number(provinceId) : undefined });
  const given = (name: string) => url.get(name) ?? "";
  return (
    <>
      {params["provinceId"] || params["districtId"] ? null : (
        <Choice
          clears="districtId"
          label="Province"
          name="provinceId"
          options={(data?.provinces.nodes ?? []).map((one) => [String(one.provinceId), one.name])}
          value={given("provinceId")}
        />
      )}
      {params["districtId"] || !provinceId ? null : (
        <Choice
          label="District"
          name="districtId"
          options={(data?.districts.nodes ?? []).map((one) => [String(one.districtId), one.name])}
          value={given("districtId")}
        />
      )}
      {params["implementingPartnerId"] ? null : (
        <Choice
          label="Implementing partner"
          name="implementingPartnerId"
          options={[[noPartner, "None"], ...(data?.implementingPartners.nodes ?? []).map((one) => [String(one.implementingPartnerId), one.implementingPartner] as const)]}
          value={given("implementingPartnerId")}
        />
      )}
      {listParameterNames.map((name) => {
        const parameter: ListParameter = listParameters[name];
        const value = texts[name] ?? "";
        if (parameter.needs && !may(privileges, parameter.needs)) return null;
        if (parameter.kind === "modes") return params["mode"] === undefined ? <Modes key={name} value={value} /> : null;
        if (parameter.kind !== "flag") return <Typed key={name} name={name} parameter={parameter} value={value} />;
        const [yes, no] = parameter.words!;
        return <Choice key={name} label={parameter.label} name={name} options={[["yes", capital(yes)], ["no", capital(no)]]} value={value} />;
      })}
    </>
  );
}

const capital = (words: string) => words[0]!.toUpperCase() + words.slice(1);

/** What a list of facilities may be narrowed by, beside what its path says. */
export function FacilityFilterForm(opening: FilterFormOpening) {
  return (
    <FilterPanel {...opening}>
      <Fields />
    </FilterPanel>
  );
}
