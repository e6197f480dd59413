import { Classes } from "@blueprintjs/core";
import { useId } from "react";

type ServiceAreasFieldProps = {
  areas: readonly { serviceAreaId: number; serviceArea: string }[];
  /** ids of the active ones */
  value: readonly number[];
  onChange: (ids: number[]) => void;
  error?: string;
};

/** All service areas, each with a switch: active or inactive at this facility. */
export function ServiceAreasField({ areas, value, onChange, error }: ServiceAreasFieldProps) {
  const id = useId();
  const flip = (area: number) => onChange(value.includes(area) ? value.filter((one) => one !== area) : [...value, area]);
  return (
    <fieldset className="plain">
      <legend>Service areas</legend>
      {areas.map(({ serviceAreaId, serviceArea }) => {
        const isActive = value.includes(serviceAreaId);
        const label = `${id}-${serviceAreaId}`;
        return (
          <div className="service-switch row is-spread" key={serviceAreaId}>
            <span id={label}>{serviceArea}</span>
            <button aria-checked={isActive} aria-labelledby={label} onClick={() => flip(serviceAreaId)} role="switch" type="button">
              {isActive ? "Active" : "Inactive"}
            </button>
          </div>
        );
      })}
      {error ? (
        <p className={Classes.FORM_HELPER_TEXT} role="alert">
          Service areas {error}
        </p>
      ) : null}
    </fieldset>
  );
}
