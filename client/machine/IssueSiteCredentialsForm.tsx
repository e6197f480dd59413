import { Button, Classes, FormGroup, HTMLSelect, Intent } from "@blueprintjs/core";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { mostTokenDays } from "../../gateway/auth/account.rules.ts";
import { facilitiesIn, issuedTable } from "../../gateway/machine/siteCredential.rules.ts";
import { graphql } from "../gql/gql.ts";
import { counted } from "../ui/text/counted.ts";
import { showError } from "../shell/toast/toaster.tsx";
import { useSystem } from "../shell/session/viewer.ts";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { daysAfter } from "../ui/text/dates.ts";
import { FormAlert } from "../ui/form/FormAlert.tsx";
import { TextAreaField } from "../ui/field/TextAreaField.tsx";
import { DateField } from "../ui/field/DateField.tsx";
import { client, mutate, useScreenQuery } from "../urql.ts";

const placesQuery = graphql(`
  query IssueSiteCredentialsFormQuery {
    provinces(first: 100) { nodes { id name districts(first: 100) { nodes { id districtId name } } } }
  }
`);

const facilitiesQuery = graphql(`
  query IssueSiteCredentialsFormQueryFacilities($districtId: Int!, $after: String) {
    facilities(districtId: $districtId, first: 100, after: $after) {
      nodes { id facilityUuid hmisCode }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

const issueMutation = graphql(`
  mutation IssueSiteCredentialsForm_issue($input: IssueSiteCredentialsInput!) {
    issueSiteCredentials(input: $input) { issued { facilityName hmisCode facilityUuid secret expiryDate } csv errors { path message } }
  }
`);

/** New credentials as the text of a CSV file, and as the table of a workbook. */
export type IssuedFile = { csv: string; table: ReturnType<typeof issuedTable> };

/** The identifiers of a district's facilities: HMIS codes, or uuids for those without. */
async function namesOf(districtId: number): Promise<string[]> {
  const names: string[] = [];
  let after: string | null = null;
  do {
    const { data } = await client.query(facilitiesQuery, { districtId, after }).toPromise();
    if (!data) throw new Error("The district's facilities could not be read.");
    names.push(...data.facilities.nodes.map(({ hmisCode, facilityUuid }) => hmisCode ?? facilityUuid));
    after = data.facilities.pageInfo.hasNextPage ? (data.facilities.pageInfo.endCursor ?? null) : null;
  } while (after !== null);
  return names;
}

const mostListed = 8;

type IssueSiteCredentialsFormProps = { onIssued: (file: IssuedFile) => void; onCancel: () => void };

/** Issues a credential for each facility that is pasted, or chosen by district. */
export function IssueSiteCredentialsForm({ onIssued, onCancel }: IssueSiteCredentialsFormProps) {
  const { today } = useSystem();
  const places = useScreenQuery(placesQuery, {});
  const [isAdding, setAdding] = useState(false);
  const { register, handleSubmit, setError, getValues, setValue, control, formState } = useForm({
    defaultValues: { facilities: "", expiryDate: daysAfter(today, 365) },
  });
  const { errors, isSubmitting } = formState;
  const count = facilitiesIn(useWatch({ control, name: "facilities" })).length;

  const add = async (districtId: number) => {
    setAdding(true);
    try {
      const names = new Set([...facilitiesIn(getValues("facilities")), ...(await namesOf(districtId))]);
      setValue("facilities", [...names].join("\n"), { shouldDirty: true });
    } catch (error) {
      showError(error instanceof Error ? error.message : "The district's facilities could not be read.");
    }
    setAdding(false);
  };

  const submit = handleSubmit(async ({ facilities, expiryDate }) => {
    const named = facilitiesIn(facilities);
    if (named.length === 0) {
      setError("facilities", { message: "Name at least one facility" }, { shouldFocus: true });
      return;
    }
    const { data, failure } = await mutate(issueMutation, { input: { facilities: named, expiryDate } });
    const made = data?.issueSiteCredentials;
    if (made?.csv && made.issued.length > 0) {
      onIssued({ csv: made.csv, table: issuedTable(made.issued) });
      return;
    }
    const wrong = made?.errors ?? [];
    const wrongNames = wrong.filter(({ path }) => path.startsWith("facilities")).map(({ message }) => message);
    const others = wrongNames.length > mostListed ? `; and ${wrongNames.length - mostListed} more` : "";
    if (wrongNames.length > 0)
      setError("facilities", { message: wrongNames.slice(0, mostListed).join("; ") + others }, { shouldFocus: true });
    for (const { path, message } of wrong)
      if (!path.startsWith("facilities"))
        setError(path === "expiryDate" ? path : "root", { message }, { shouldFocus: true });
    if (failure) setError("root", { message: failure });
  });

  return (
    <form
      className={`${Classes.CARD} stack`}
      aria-label="Issue credentials"
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      <FormAlert message={errors.root?.message} />
      <TextAreaField
        label="Facilities"
        field={register("facilities")}
        error={errors.facilities?.message}
        help="HMIS codes or uuids, one on each line or set apart by commas"
        rows={6}
      />
      <div className="grid">
        <FormGroup label="Add all of a district" labelFor="issue-district">
          <HTMLSelect
            disabled={isAdding}
            fill
            id="issue-district"
            onChange={(event) => event.currentTarget.value && void add(Number(event.currentTarget.value))}
            value=""
          >
            <option value="">Choose a district</option>
            {places.data?.provinces.nodes.map((province) => (
              <optgroup key={province.id} label={province.name}>
                {province.districts.nodes.map(({ id, districtId, name }) => (
                  <option key={id} value={districtId}>
                    {name}
                  </option>
                ))}
              </optgroup>
            ))}
          </HTMLSelect>
        </FormGroup>
        <DateField
          control={control}
          help={`At most ${mostTokenDays} days from today`}
          label="Last day"
          max={daysAfter(today, mostTokenDays)}
          min={today}
          name="expiryDate"
        />
      </div>
      <p className="note">A credential that a facility has already works until the new one is first used.</p>
      <div className="row">
        <BusyButton
          intent={Intent.PRIMARY}
          isBusy={isSubmitting}
          text={count > 0 ? `Issue for ${counted(count, "facility", "facilities")}` : "Issue"}
          type="submit"
        />
        <Button onClick={onCancel} text="Cancel" />
      </div>
    </form>
  );
}
