import { Button, DialogBody, Intent } from "@blueprintjs/core";
import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import type { FieldPath } from "react-hook-form";
import { useClient } from "urql";
import { z } from "zod";
import { byField, editableNames } from "../../db/facility/facilityFields.rules.ts";
import type { EditableName, ValuesOf } from "../../db/facility/facilityFields.rules.ts";
import { connectivityRules, settingsRules } from "../../gateway/facility/settings.rules.ts";
import { graphql } from "../gql/gql.ts";
import type { FacilityEditDialogQueryQuery } from "../gql/graphql.ts";
import { showSuccess } from "../shell/toast/toaster.tsx";
import { FormAlert } from "../ui/form/FormAlert.tsx";
import { SelectField } from "../ui/field/SelectField.tsx";
import { TextAreaField } from "../ui/field/TextAreaField.tsx";
import { TickField } from "../ui/field/TickField.tsx";
import { EditableField } from "./EditableField.tsx";
import { readFields, typedValue } from "./facilityFields.ts";
import { ServiceAreasField } from "./ServiceAreasField.tsx";
import { DialogButtons } from "../ui/form/DialogButtons.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { useScreenQuery } from "../urql.ts";

const query = graphql(`
  query FacilityEditDialogQuery($facilityUuid: String!) {
    facility(facilityUuid: $facilityUuid) {
      id
      ...FacilityFields_Facility
      implementingPartner { id implementingPartnerId implementingPartner active }
      serviceAreas { id serviceAreaId }
      connectivity { present details mobileCoverage type { id type } mobileProvider { id provider } }
    }
    implementingPartners(active: true) { nodes { id implementingPartnerId implementingPartner } }
    serviceAreas { id serviceAreaId serviceArea }
    connectivityTypes { id type }
    connectivityProviders { id provider }
  }
`);
const settingsMutation = graphql(`
  mutation FacilityEditDialog_settings($input: UpdateFacilitySettingsInput!) {
    updateFacilitySettings(input: $input) { facility { id } errors { path message } }
  }
`);
const connectivityMutation = graphql(`
  mutation FacilityEditDialog_connectivity($input: UpdateFacilityConnectivityInput!) {
    updateFacilityConnectivity(input: $input) { facility { id } errors { path message } }
  }
`);

type Values = {
  implementingPartnerId: string;
  serviceAreas: number[];
  present: boolean | null;
  type: string;
  details: string;
  mobileCoverage: boolean | null;
  mobileProvider: string;
} & Record<EditableName, string>;
/** Names of refused values that have no field of their own in the form. */
const fieldNames: Record<string, string> = { serviceAreas: "A service area", facilityUuid: "The facility" };
const idOf = (text: string): number | null => (text === "" ? null : Number(text));
const connectivityOf = ({ present, type, details, mobileCoverage, mobileProvider }: Values) => ({
  present,
  type: present ? idOf(type) : null,
  details: present ? details : null,
  mobileCoverage,
  mobileProvider: mobileCoverage ? idOf(mobileProvider) : null,
});
const settingsOf = (values: Values) => ({
  implementingPartnerId: idOf(values.implementingPartnerId),
  serviceAreas: values.serviceAreas,
  ...(byField(editableNames, (name) => typedValue(name, values[name])) as ValuesOf<EditableName>),
});

/** Checks all values of the form by the rules of the two calls that save them. */
const rules = (facilityUuid: string) =>
  z.custom<Values>().superRefine((values, context) => {
    const checked = [
      settingsRules.safeParse(settingsOf(values)),
      connectivityRules.safeParse({ facilityUuid, ...connectivityOf(values) }),
    ];
    for (const { path, message } of checked.flatMap(({ error }) => error?.issues ?? []))
      context.addIssue({ code: "custom", path, message });
  });

/** The facility as the form shows it, and the choices that it offers. */
type FacilityConfiguration = FacilityEditDialogQueryQuery & {
  facility: NonNullable<FacilityEditDialogQueryQuery["facility"]>;
};
type EditingProps = { facilityUuid: string; onSaved: () => void; onClose: () => void };

/** Saves the settings, then the connectivity, each with its message. */
function EditForm({ facilityUuid, data, onSaved, onClose }: EditingProps & { data: FacilityConfiguration }) {
  const { facility, implementingPartners, serviceAreas, connectivityTypes, connectivityProviders } = data;
  const { implementingPartner: partner, connectivity } = facility;
  const fields = readFields(facility);
  const client = useClient();
  const form = useForm<Values>({
    defaultValues: {
      implementingPartnerId: String(partner?.implementingPartnerId ?? ""),
      serviceAreas: facility.serviceAreas.map(({ serviceAreaId }) => serviceAreaId),
      present: connectivity.present ?? null,
      type: String(connectivity.type?.id ?? ""),
      details: connectivity.details ?? "",
      mobileCoverage: connectivity.mobileCoverage ?? null,
      mobileProvider: String(connectivity.mobileProvider?.id ?? ""),
      ...byField(editableNames, (name) => String(fields[name] ?? "")),
    },
    resolver: zodResolver(rules(facilityUuid), undefined, { raw: true }),
  });
  const { register, handleSubmit, control, setValue, setError, clearErrors, formState } = form;
  const { errors, isSubmitting } = formState;
  const partners = implementingPartners.nodes.map((one) => ({
    value: one.implementingPartnerId,
    label: one.implementingPartner,
  }));
  const others =
    partner && !partner.active
      ? [{ value: partner.implementingPartnerId, label: `${partner.implementingPartner} (no longer active)` }]
      : [];

  const refused = (
    problems: readonly { path: string; message: string }[] | undefined,
    fault: string | undefined,
  ): boolean => {
    if (problems?.length === 0) return false;
    for (const { path, message } of problems ?? [
      { path: "", message: fault ?? "The server cannot be reached. Nothing you typed is lost: try again." },
    ]) {
      const isField = path in form.getValues() && path !== "serviceAreas";
      const [name] = path.split(".");
      setError(
        (isField ? path : "root") as FieldPath<Values>,
        { message: isField || !name ? message : `${fieldNames[name] ?? name} ${message}` },
        { shouldFocus: true },
      );
    }
    return true;
  };

  const save = handleSubmit(async (values) => {
    const first = await client
      .mutation(settingsMutation, { input: { facilityUuid, ...settingsOf(values) } })
      .toPromise();
    if (refused(first.data?.updateFacilitySettings.errors, first.error?.graphQLErrors[0]?.message)) return;
    showSuccess("Updated site settings");
    const second = await client
      .mutation(connectivityMutation, { input: { facilityUuid, ...connectivityOf(values) } })
      .toPromise();
    if (refused(second.data?.updateFacilityConnectivity.errors, second.error?.graphQLErrors[0]?.message)) return;
    showSuccess("Updated connectivity properties");
    onSaved();
  });

  const answerPresent = (answer: boolean | null) => {
    setValue("present", answer);
    if (answer) return;
    setValue("type", "");
    setValue("details", "");
    clearErrors(["type", "details"]);
  };
  const answerCoverage = (answer: boolean | null) => {
    setValue("mobileCoverage", answer);
    if (answer) return;
    setValue("mobileProvider", "");
    clearErrors("mobileProvider");
  };

  const [isPresent, isCovered, activeAreas] = useWatch({
    control,
    name: ["present", "mobileCoverage", "serviceAreas"],
  });
  return (
    <form noValidate onSubmit={(event) => void save(event)}>
      <DialogBody className="grid is-half">
        {errors.root?.message ? (
          <div className="is-wide">
            <FormAlert message={errors.root.message} />
          </div>
        ) : null}
        <section aria-label="Facility settings" className="stack">
          <h3>Facility settings</h3>
          <SelectField
            label="Implementing partner"
            field={register("implementingPartnerId")}
            options={[...partners, ...others]}
            none="None"
            error={errors.implementingPartnerId?.message}
          />
          {editableNames.map((name) => (
            <EditableField error={errors[name]?.message} field={register(name)} key={name} name={name} />
          ))}
          <ServiceAreasField
            areas={serviceAreas}
            value={activeAreas}
            onChange={(ids) => setValue("serviceAreas", ids)}
            error={errors.serviceAreas?.message}
          />
        </section>
        <section aria-label="Connectivity" className="stack">
          <h3>Connectivity</h3>
          <TickField form={form} label="Present" name="present" onAnswer={answerPresent} unanswered="Not recorded" />
          <SelectField
            label="Type"
            field={register("type")}
            options={connectivityTypes.map(({ id, type }) => ({ value: id, label: type }))}
            none="Not known"
            error={errors.type?.message}
            disabled={!isPresent}
          />
          <TextAreaField
            label="Details"
            field={register("details")}
            error={errors.details?.message}
            disabled={!isPresent}
          />
          <TickField
            form={form}
            label="Mobile coverage"
            name="mobileCoverage"
            onAnswer={answerCoverage}
            unanswered="Not recorded"
          />
          <SelectField
            label="Mobile provider"
            field={register("mobileProvider")}
            options={connectivityProviders.map(({ id, provider }) => ({ value: id, label: provider }))}
            none="Not known"
            error={errors.mobileProvider?.message}
            disabled={!isCovered}
          />
        </section>
      </DialogBody>
      <DialogButtons onClose={onClose}>
        <Button
          disabled={isSubmitting}
          intent={Intent.PRIMARY}
          text={isSubmitting ? "Saving …" : "Save changes"}
          type="submit"
        />
      </DialogButtons>
    </form>
  );
}

function Editing(editing: EditingProps) {
  const answer = useScreenQuery(query, { facilityUuid: editing.facilityUuid });
  const [data, setData] = useState<FacilityConfiguration>();
  const { facility } = answer.data ?? {};
  // The first answer is used until the dialog closes: a later one must not overwrite what is being typed.
  if (!data && answer.data && facility && !answer.stale) setData({ ...answer.data, facility });
  return (
    <QueryState query={{ ...answer, data }} what="facility">
      {(read) => <EditForm {...editing} data={read} />}
    </QueryState>
  );
}

type FacilityEditDialogProps = EditingProps & { facilityName: string; isOpen: boolean };

/**
 * A facility's configuration: its partner, service areas, other settings and connectivity. It is queried when the
 * dialog is opened.
 */
export function FacilityEditDialog({ facilityName, isOpen, ...editing }: FacilityEditDialogProps) {
  return (
    <ModalDialog className="is-wide" isOpen={isOpen} onClose={editing.onClose} title={`Edit ${facilityName}`}>
      <Editing {...editing} />
    </ModalDialog>
  );
}
