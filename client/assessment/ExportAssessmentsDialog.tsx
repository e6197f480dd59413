import { AnchorButton, DialogBody, Intent } from "@blueprintjs/core";
import { zodResolver } from "@hookform/resolvers/zod";
import { useForm, useWatch } from "react-hook-form";
import { graphql } from "../gql/gql.ts";
import type { ExportAssessmentsDialogQueryQuery } from "../gql/graphql.ts";
import { counted } from "../ui/text/counted.ts";
import { files } from "../routes.ts";
import type { AssessmentScope } from "../routes.ts";
import { useToday } from "../shell/session/viewer.ts";
import { dateRangeFormRules, monthToDate } from "../ui/form/dateRange.ts";
import type { DateRange } from "../ui/form/dateRange.ts";
import { formatDate } from "../ui/text/dates.ts";
import { DialogButtons } from "../ui/form/DialogButtons.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { DateField } from "../ui/field/DateField.tsx";
import { useScreenQuery } from "../urql.ts";

const query = graphql(`
  query ExportAssessmentsDialogQuery(
    $provinceId: Int, $districtId: Int, $implementingPartnerId: Int, $facilityUuid: String, $start: Date!, $end: Date!
    $inProvince: Boolean!, $namedProvince: Int = 0
    $inDistrict: Boolean!, $namedDistrict: Int = 0
    $ofPartner: Boolean!, $namedPartner: Int = 0
    $ofFacility: Boolean!, $namedFacility: String = ""
  ) {
    province(provinceId: $namedProvince) @include(if: $inProvince) { id name }
    district(districtId: $namedDistrict) @include(if: $inDistrict) { id name }
    implementingPartner(implementingPartnerId: $namedPartner) @include(if: $ofPartner) { id implementingPartner }
    facility(facilityUuid: $namedFacility) @include(if: $ofFacility) { id facilityName }
    assessments(
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId, facilityUuid: $facilityUuid
      start: $start, end: $end, first: 0
    ) { totalCount }
  }
`);

const variablesOf = (scope: AssessmentScope, range: DateRange) => ({
  ...scope,
  ...range,
  inProvince: scope.provinceId !== undefined,
  namedProvince: scope.provinceId,
  inDistrict: scope.districtId !== undefined,
  namedDistrict: scope.districtId,
  ofPartner: scope.implementingPartnerId !== undefined,
  namedPartner: scope.implementingPartnerId,
  ofFacility: scope.facilityUuid !== undefined,
  namedFacility: scope.facilityUuid,
});

/** The scope in words: the facility, or the places and the partner. */
function ownersOf(scope: AssessmentScope, data: ExportAssessmentsDialogQueryQuery | undefined): string {
  if (Object.values(scope).every((value) => value === undefined)) return "all facilities";
  if (!data) return "…";
  const { facility, district, province, implementingPartner } = data;
  if (facility) return facility.facilityName;
  const place = district ? `${district.name} District` : province ? `${province.name} Province` : undefined;
  const partner = implementingPartner ? `of ${implementingPartner.implementingPartner}` : undefined;
  return ["all facilities", partner, place ? `in ${place}` : undefined].filter(Boolean).join(" ");
}

type ExportProps = { scope: AssessmentScope; onClose: () => void };

function Export({ scope, onClose }: ExportProps) {
  const usual = monthToDate(useToday());
  const { control } = useForm<DateRange>({
    defaultValues: usual,
    mode: "onChange",
    resolver: zodResolver(dateRangeFormRules),
  });
  const asked = dateRangeFormRules.safeParse(useWatch({ control })).data;
  const range = asked ?? usual;
  const { data, error, fetching, stale } = useScreenQuery(query, variablesOf(scope, range));
  const count = data?.assessments?.totalCount;
  const days = `${formatDate(range.start)} to ${formatDate(range.end)}`;

  const status = () => {
    if (!asked) return "Choose the days.";
    if (error) return error.networkError ? "The server cannot be reached." : (error.graphQLErrors[0]?.message ?? "");
    if (count === undefined || fetching || stale) return "Counting …";
    return `${counted(count, "assessment")}, ${days}.`;
  };

  return (
    <>
      <DialogBody>
        <p>Assessments of {ownersOf(scope, data)}, a row each, as CSV.</p>
        <div className="grid">
          <DateField control={control} deps="end" label="Start" name="start" />
          <DateField control={control} label="End" name="end" />
        </div>
        <p role="status">{status()}</p>
      </DialogBody>
      <DialogButtons onClose={onClose}>
        <AnchorButton
          disabled={!asked || Boolean(error)}
          download
          href={asked && !error ? files.assessmentsCsv(asked, scope) : undefined}
          intent={Intent.PRIMARY}
          text="Export CSV"
        />
      </DialogButtons>
    </>
  );
}

/**
 * Exports the assessments of a scope and a range of days as a CSV file. It says what the file will contain before it is
 * fetched.
 */
export function ExportAssessmentsDialog({ isOpen, ...asked }: ExportProps & { isOpen: boolean }) {
  return (
    <ModalDialog isOpen={isOpen} onClose={asked.onClose} title="Export assessments">
      <Export {...asked} />
    </ModalDialog>
  );
}
