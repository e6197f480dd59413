import { expect, test } from "vitest";

import { networkOf, readTrustedProxies } from "./network.ts";

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["::ffff:203.0.113.9", "203.0.113.9"],
  ["::FFFF:cb00:7109", "203.0.113.9"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:1:2::9", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
])("%s belongs to the network %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test.each([
  ["0", false],
  ["1", 1],
  ["10", 10],
  ["10.0.0.5", ["10.0.0.5"]],
  ["10.1.0.0/16, fd00:1::/32", ["10.1.0.0/16", "fd00:1::/32"]],
])("TRUST_PROXY %s is read", (text, proxies) => {
  expect(readTrustedProxies(text)).toEqual(proxies);
});

test.each(["", "11", "-1", "yes", "true", "0.0.0.0/0", "::/0", "10.0.0.0/33", "10.0.0.5,", "10.0.0", "10.0.0.5/8/8"])(
  "TRUST_PROXY %j makes no sense",
  (text) => {
    expect(readTrustedProxies(text)).toBeUndefined();
  },
);
