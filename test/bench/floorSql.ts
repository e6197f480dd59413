import { builtInSystems } from "../../db/facility/identifierSystems.rules.ts";
import { byField, columnOf, type FieldName, fieldNames } from "../../db/facility/facilityFields.rules.ts";

/** Parts of the floor's statements. */

/** A global id as of Relay's nodes. */
export const globalId = (type: string, key: string): string =>
  `replace(encode(convert_to('${type}:' || ${key}, 'UTF8'), 'base64'), E'\\n', '')`;

/** A JSON object of these SQL values. */
export const object = (values: Record<string, string>): string =>
  `json_build_object(${Object.entries(values)
    .map(([name, value]) => `'${name}', ${value}`)
    .join(", ")})`;

/** An object of GraphQL, with the type name that the client always queries. */
export const typed = (type: string, values: Record<string, string>): string =>
  object({ ...values, __typename: `'${type}'` });

export const statement = (values: Record<string, string>, rest = ""): string =>
  `select ${object(values)}::text ${rest}`;

/** A list of JSON objects, [] if there are none. */
export const listOf = (element: string, rows: string): string =>
  `(select coalesce(json_agg(${element}), '[]') from (${rows}) as r)`;

/** Facilities with the names of their places and partner. */
export const facilities = `
  select f.*, d.name as district, p.name as province, i.name as partner
  from facility f join district d on d.district_id = f.district_id join province p on p.province_id = f.province_id
  left join implementing_partner i on i.implementing_partner_id = f.implementing_partner_id`;
/** The open facilities, which are the only ones in lists. */
export const openFacilities = `${facilities} where f.closed_on is null`;

const builtInOrder = `array_position(array[${builtInSystems.map(({ system }) => `'${system}'`).join(", ")}], system)`;
/** The identifiers of the facility of the row, in the product's order. */
export const identifiers = (element: (values: Record<string, string>) => string) =>
  `(select coalesce(json_agg(${element({ system: "system", value: "value", from: "valid_from", until: "valid_until" })} order by ${builtInOrder}, system, valid_until is not null, value), '[]')
    from facility_identifier where facility_uuid = r.facility_uuid)`;
/** The display name of the system of an identifier. */
export const systemName = `case system ${builtInSystems.map(({ system, name }) => `when '${system}' then '${name}'`).join(" ")} else (select name from identifier_system where identifier_system.system = facility_identifier.system) end`;
/** Since when and why the facility is closed. */
export const closing = { closedOn: "r.closed_on", closeReason: "r.close_reason" };

/** Plain fields of a facility's row, by name. */
export const plainFields = (names: readonly FieldName[] = fieldNames, row = "r") =>
  byField(names, (name) => `${row}.${columnOf(name)}`);

export const district = (values: Record<string, string> = {}) =>
  typed("District", { id: globalId("District", "r.district_id"), ...values, name: "r.district" });
/** The outline of the row's district: its path and its box (west, south, east, north). */
export const outlineOfDistrict = `(select ${typed("Outline", { path: "path", box: "json_build_array(west, south, east, north)" })} from boundary where boundary.district_id = r.district_id)`;
export const province = (values: Record<string, string> = {}) =>
  typed("Province", { id: globalId("Province", "r.province_id"), ...values, name: "r.province" });
export const partner = (values: Record<string, string> = {}) =>
  `case when r.implementing_partner_id is not null then ${typed("ImplementingPartner", {
    id: globalId("ImplementingPartner", "r.implementing_partner_id"),
    ...values,
    implementingPartner: "r.partner",
  })} end`;
