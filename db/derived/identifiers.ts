import { changedIn, type Derived } from "./derived.ts";

/**
 * A facility's codes (present and former HMIS code) are also rows of `facility_identifier`, so that one query finds a
 * facility by any code. A replaced code is kept with the last day of its use, so that it still finds the facility.
 */

/** Adds codes of some facilities, or takes them into use again. */
const added = (hmis: string, former: string) => `
  insert into facility_identifier as kept (facility_uuid, system, value, is_unique)
  select facility_uuid, system, value, system = 'hmis' from (
    select facility_uuid, 'hmis' as system, hmis_code as value from ${hmis}
    union all select facility_uuid, 'formerHmis', old_hmis_code from ${former}) as code where value is not null
  on conflict (facility_uuid, system, value) do update set valid_until = null where kept.valid_until is not null;`;

export const identifiers: Derived = {
  name: "identifiers",
  purpose:
    "A facility's HMIS code and former code as identifiers beside those of other systems. A code that was replaced stays, with the day until which it was in use. The other rows of the table are the registry's own.",
  sources: ["facility"],
  tables: {
    facility_identifier: {
      keys: ["facility_uuid", "system", "value"],
      measures: { valid_until: "the day until which a replaced HMIS code was in use" },
    },
  },
  steps: [
    {
      table: "facility",
      on: ["insert"],
      body: (written) => added(written.new, written.new),
    },
    {
      table: "facility",
      on: ["update"],
      body: (written) => {
        const former = (column: string) => changedIn({ old: written.new, new: written.old }, ["facility_uuid", column]);
        return `
          update facility_identifier i set valid_until = current_date from ${former("hmis_code")} as former
            where i.facility_uuid = former.facility_uuid and i.system = 'hmis' and i.value = former.hmis_code and i.valid_until is null;
          delete from facility_identifier i using ${former("old_hmis_code")} as former
            where i.facility_uuid = former.facility_uuid and i.system = 'formerHmis' and i.value = former.old_hmis_code;
          ${added(changedIn(written, ["facility_uuid", "hmis_code"]), changedIn(written, ["facility_uuid", "old_hmis_code"]))}`;
      },
    },
  ],
};
