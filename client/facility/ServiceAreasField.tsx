import { Classes, Switch } from "@blueprintjs/core";

type ServiceAreasFieldProps = {
  areas: readonly { serviceAreaId: number; serviceArea: string }[];
  /** ids of the active ones */
  value: readonly number[];
  onChange: (ids: number[]) => void;
  error?: string;
};

/** All service areas, each with a switch: active or inactive at this facility. */
export function ServiceAreasField({ areas, value, onChange, error }: ServiceAreasFieldProps) {
  const flip = (area: number) =>
    onChange(value.includes(area) ? value.filter((one) => one !== area) : [...value, area]);
  return (
    <fieldset className="plain">
      <legend>Service areas</legend>
      {areas.map(({ serviceAreaId, serviceArea }) => (
        <Switch
          alignIndicator="end"
          aria-checked={value.includes(serviceAreaId)}
          aria-label={serviceArea}
          checked={value.includes(serviceAreaId)}
          innerLabel="Inactive"
          innerLabelChecked="Active"
          key={serviceAreaId}
          label={serviceArea}
          onChange={() => flip(serviceAreaId)}
          role="switch"
        />
      ))}
      {error ? (
        <p className={Classes.FORM_HELPER_TEXT} role="alert">
          Service areas {error}
        </p>
      ) : null}
    </fieldset>
  );
}
