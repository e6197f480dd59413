import { afterStatement, type Derived } from "./derived.ts";

/**
 * A facility's codes (present and former HMIS code) are also rows of `facility_identifier`, so that one query finds a
 * facility by any code. A replaced code is kept with the last day of its use, so that it still finds the facility.
 */

const added = (rows: string, hmis: string, former: string) => `
  insert into facility_identifier as kept (facility_uuid, system, value, is_unique)
  select facility_uuid, system, value, system = 'hmis' from (
    select facility_uuid, 'hmis' as system, hmis_code as value from ${rows} where hmis_code is not null and ${hmis}
    union all select facility_uuid, 'formerHmis', old_hmis_code from ${rows} where old_hmis_code is not null and ${former}) as code
  on conflict (facility_uuid, system, value) do update set valid_until = null where kept.valid_until is not null;`;
const was = (column: string) => `(select o.${column} from old_rows o where o.facility_uuid = new_rows.facility_uuid)`;
const isKnown = "exists (select from old_rows o where o.facility_uuid = new_rows.facility_uuid)";

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
  triggers: [
    afterStatement("facility", "insert", "identifiers", added("new_rows", "true", "true")),
    afterStatement(
      "facility",
      "update",
      "identifiers",
      `update facility_identifier i set valid_until = current_date from old_rows o join new_rows n using (facility_uuid)
        where i.facility_uuid = o.facility_uuid and i.system = 'hmis' and i.value = o.hmis_code and i.valid_until is null and n.hmis_code is distinct from o.hmis_code;
      delete from facility_identifier i using old_rows o join new_rows n using (facility_uuid)
        where i.facility_uuid = o.facility_uuid and i.system = 'formerHmis' and i.value = o.old_hmis_code and n.old_hmis_code is distinct from o.old_hmis_code;
      ${added("new_rows", `${isKnown} and ${was("hmis_code")} is distinct from hmis_code`, `${isKnown} and ${was("old_hmis_code")} is distinct from old_hmis_code`)}`,
    ),
  ],
};
