import { expect, test } from "vitest";

import { isViewAddress, placesOf } from "./view.rules.ts";

test.each([
  "/facilities",
  "/facilities?silent=yes&modes=none,Partial",
  "/facilities/province/3?functional=no",
  "/",
  "/?provinceId=3",
  "/audit?who=a%20b",
  "/users/directory?account=active",
  "/ip/4?tab=tdbs",
])("%s is accepted as the address of a view", (address) => expect(isViewAddress(address)).toBe(true));

test.each([
  "",
  "facilities",
  "//evil.example/facilities",
  "https://evil.example/",
  "/\\evil",
  "/facilities#x",
  "/facilities?a=b c",
  "/login",
  "/nowhere",
  "/facilities\n",
  "javascript:alert(1)",
])("%j is refused as the address of a view", (address) => expect(isViewAddress(address)).toBe(false));

test.each([
  ["/facilities", {}],
  ["/facilities/province/3?functional=no", { provinceId: 3 }],
  ["/facilities/district/7?implementingPartnerId=2", { districtId: 7, implementingPartnerId: 2 }],
  ["/facilities/implementation/EFirst/ip/4", { implementingPartnerId: 4 }],
  ["/facilities?provinceId=3&districtId=9&implementingPartnerId=none", { provinceId: 3, districtId: 9 }],
  ["/ip/4?tab=tdbs", { implementingPartnerId: 4 }],
  ["/districts/2", { provinceId: 2 }],
])("the places that %s names are %j", (address, places) => expect(placesOf(address)).toEqual(places));
