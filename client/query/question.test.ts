import { readFileSync } from "node:fs";

import { buildSchema, parse, validate } from "graphql";
import { expect, test } from "vitest";

import { addressOf, firsts, leasts, orders, questionIn, questionOf, queryOf, sentenceOf, ways } from "./question.ts";
import { subjects } from "./questionSubjects.ts";
import { keys } from "./questionKeys.ts";
import { sitesOf } from "./questionSites.ts";
import { usualQuestions } from "./usualQuestions.ts";

const schema = buildSchema(readFileSync("schema.graphql", "utf8"));

/** A number in [0, 1) from a seed: the same questions in each run. */
function randomOf(seed: number) {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

test("5,000 random questions are the same as an address, and as a query of the schema", () => {
  const random = randomOf(20_261_129);
  const pick = <One>(list: readonly One[]) => list[Math.floor(random() * list.length)]!;
  for (let turn = 0; turn < 5000; turn++) {
    const subject = pick(Object.keys(subjects) as (keyof typeof subjects)[]);
    const { measures, ranges } = subjects[subject];
    const question = questionIn(
      new URLSearchParams({
        subject,
        by: pick(Object.keys(keys)),
        and: pick(["", ...Object.keys(keys)]),
        measure: pick(Object.keys(measures)),
        per: pick(["", "there", "ofAssessed", ...Object.keys(measures)]),
        way: pick(["", ...Object.keys(ways)]),
        range: pick(Object.keys(ranges)),
        provinceId: pick(["", "7"]),
        partner: pick(["", "3"]),
        order: pick(Object.keys(orders)),
        first: pick(["", "11", ...firsts.map(String)]),
        least: pick(["", ...leasts.map(String)]),
        functional: pick(["", "yes", "notRecorded"]),
        modes: pick(["", "EFirst,none", "x"]),
        from: pick(["", "-15.4,28.3", "91,0"]),
        fromName: pick(["", "Kabwe District", " a\n$& ".repeat(30)]),
        nearName: pick(["", "Kabwe", "“Mbala”, $1"]),
        near: pick(["", "-15.4,28.3,20", "-15.4,28.3,,20", "91,0,1"]),
        assessedBefore: pick(["", "LAST_180_DAYS", "2026-01-31", "LAST_180_YEARS"]),
        noTdbSince: pick(["", "THIS_QUARTER"]),
        sent: pick(["", "no"]),
        inARow: pick(["", "PRIMARY_POWER_WORKING.3.yes", "x.2.no"]),
        moved: pick(["", "stopped"]),
        noted: pick(["", 'an "inverter"', "ab"]),
      }),
    );
    expect(questionIn(addressOf(question))).toEqual(question);
    expect(questionOf(queryOf(question))).toEqual(question);
    expect(sentenceOf(question)).not.toContain("undefined");
    if (turn % 20 === 0) expect(validate(schema, parse(queryOf(question, true)))).toEqual([]);
  }
});

const worst = "subject=sites&by=district&measure=works&order=lowest&first=10&least=5";

test("the questions to begin with are kept as they are written", () => {
  for (const address of Object.values(usualQuestions).flat())
    expect(addressOf(questionIn(new URLSearchParams(address))).toString()).toBe(address);
});

test.each([
  [
    "the worst districts",
    worst,
    "Share of assessed sites that work, by district, as they stand today, lowest first, the first 10, only of 5 or more",
  ],
  [
    "the worst changes",
    "subject=visits&by=province&measure=works&way=difference&range=PREVIOUS_QUARTER&order=lowest&first=10&least=5",
    "Change of share of visited sites that work, by province, last quarter, lowest first, the first 10, only of 5 or more",
  ],
  [
    "a quotient",
    "subject=tdbs&by=partner&measure=tdbs&per=sites&order=highest",
    "TDBs received ÷ sites that sent a TDB, by implementing partner, last 12 months, highest first",
  ],
  [
    "modes",
    "by=mode&and=province&measure=sites&order=name",
    "Sites, by deployment mode and province, as they stand today, by name",
  ],
  [
    "a part of a whole",
    "by=district&measure=sites&per=ofAssessed&power=no",
    "Share of assessed sites, without power (neither primary nor backup), by district, as they stand today, lowest first",
  ],
  [
    "sites never assessed",
    "by=district&measure=sites&assessed=no&inARow=PRIMARY_POWER_WORKING.2.no",
    "Sites, never assessed, where primary power did not work at the last 2 visits, by district, as they stand today, lowest first",
  ],
])("%s in words", (_, address, words) => {
  expect(sentenceOf(questionIn(new URLSearchParams(address)))).toBe(words);
});

test("the filters of a question are those of GraphQL, in words, and of a list where it has them", () => {
  const [inARow, power] = ["inARow=SMART_CARE_FUNCTIONAL.2.no", "functional=no&primaryPower=yes&near=-15.4,28.3,20"];
  const asked = questionIn(new URLSearchParams(`by=province&${inARow}&${power}&modes=EFirst,none`));
  expect(queryOf(asked)).toContain(
    "filter: { functional: false, modes: [EFirst, none], near: { latitude: -15.4, longitude: 28.3, kilometres: 20 }, " +
      "inARow: { visits: 2, answer: SMART_CARE_FUNCTIONAL, said: false }, latestAssessment: { primaryPowerWorking: true } }, sort: SMART_CARE_FUNCTIONAL_SHARE_ASC, minimumSize: 1",
  );
  expect(sentenceOf(asked)).toBe(
    "Share of assessed sites that work, where SmartCare does not work, present mode E-First or None recorded, " +
      "within 20 km of -15.4, 28.3, where SmartCare did not work at the last 2 visits, where primary power works, " +
      "by province, " +
      "as they stand today, lowest first",
  );
  const words = (text: string) => sentenceOf(questionIn(new URLSearchParams(`measure=sites&${text}`)));
  expect([
    words("near=-15.4,28.3,20&nearName=Kabwe+District"),
    words("nearName=Kabwe"),
    words("by=distance&from=-14.4,28.4&fromName=Kabwe+District"),
  ]).toEqual([
    "Sites, within 20 km of Kabwe District, by district, as they stand today, lowest first",
    "Sites, no distance set (“Kabwe” is no known place), by district, as they stand today, lowest first",
    "Sites, by distance from Kabwe District, as they stand today",
  ]);
  const sites = (text: string) =>
    sitesOf(questionIn(new URLSearchParams(`by=province&measure=sites&${text}`)), { province: { provinceId: 7 } });
  expect(sites("near=-15.4,28.3,20&nearName=Kabwe&power=no")).toBe(
    "/facilities?provinceId=7&power=no&near=-15.4%2C28.3%2C20&nearName=Kabwe",
  );
  expect(sites(`${inARow}&assessedBefore=LAST_4_QUARTERS`)).toBe(
    "/facilities?provinceId=7&assessedBefore=LAST_4_QUARTERS&inARow=SMART_CARE_FUNCTIONAL.2.no",
  );
  expect([sites("primaryPower=yes"), sites("measure=x&moved=stopped")]).toEqual([undefined, undefined]);
  const band = (distance: object | null) =>
    sitesOf(questionIn(new URLSearchParams("by=distance&measure=sites&from=-13,28.6")), { distance });
  expect([band({ from: 0, to: 5 }), band({ from: 5, to: 20 }), band({ from: 200, to: null }), band(null)]).toEqual([
    "/facilities?near=-13%2C28.6%2C5",
    "/facilities?near=-13%2C28.6%2C20%2C5",
    "/facilities?near=-13%2C28.6%2C%2C200",
    "/facilities?position=no",
  ]);
});

test.each([
  ["measure=sites&power=no", "sort: FACILITIES_ASC, minimumSize: 1)"],
  ["measure=sites&power=no&order=name", "minimumSize: 1)"],
  ["measure=sites&by=distance", "minimumSize: 1)"],
  ["measure=sites&per=ofAssessed&power=no", "sort: MEASURE_ASC, minimumDenominator: 1)"],
  ["measure=sites&per=ofAssessed&power=no&order=name", "per: OF_ASSESSED }, minimumDenominator: 1)"],
  ["measure=sites&per=ofAssessed&power=no&least=5", "sort: MEASURE_ASC, minimumDenominator: 5)"],
  ["measure=assessed&range=THIS_QUARTER&power=no", "sort: COMPLETENESS_SHARE_ASC, minimumDenominator: 1)"],
  ["measure=works&power=no", "sort: SMART_CARE_FUNCTIONAL_SHARE_ASC, minimumSize: 1)"],
])("%s: groups with 0 are left out, but not of a whole", (address, words) => {
  const query = queryOf(questionIn(new URLSearchParams(address)));
  expect(query).toContain(words);
  // As it was written before.
  expect(questionOf(query.replace("minimumDenominator: 1)", "minimumSize: 1)"))).toBeDefined();
});

test("a query that was changed, or written by hand, is no question of the builder", () => {
  const query = queryOf(questionIn(new URLSearchParams(worst)));
  expect(questionOf(query.replace("first: 10", "first: 11"))).toBeUndefined();
  expect(questionOf("{ provinces { nodes { name } } }")).toBeUndefined();
});

test("an address with unknown words is read as the usual question", () => {
  expect(questionIn(new URLSearchParams("subject=x&by=y&measure=z&range=1&order=2&first=7&provinceId=-1"))).toEqual(
    questionIn(new URLSearchParams()),
  );
});

test("a state has no period, and whole years have no quarter: such parts of an address are left out", () => {
  const read = (text: string) => addressOf(questionIn(new URLSearchParams(text))).toString();
  expect(read("measure=clients&by=month&range=LAST_YEAR")).toBe(read("measure=clients"));
  expect(read("measure=staff&per=computers&by=month")).toBe(read("measure=staff&per=computers"));
  expect(read("measure=staff&by=partner&and=year&range=LAST_QUARTER")).toBe(read("measure=staff&by=partner&and=year"));
});
