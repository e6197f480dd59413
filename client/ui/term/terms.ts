/** The terms of the trade, in the order of the alphabet, each in a sentence or two of a ministry officer's words. */
export const terms = {
  action: {
    name: "Action",
    text: "What was agreed to mend something: at a site, by somebody, until a day. An action that answers an entry of the work list closes by itself when a visit or a TDB shows the problem mended.",
  },
  asAt: {
    name: "As at",
    text: "How every site stood at the end of a day: by its last visit and its last TDB up to then, however old. Periods count visits; “as at” tells states.",
  },
  assessed: {
    name: "Assessed site",
    text: "A site that somebody visited and recorded in the period. A site counts once in a period, with its last visit there.",
  },
  mode: {
    name: "Deployment mode",
    text: "How SmartCare is used at a site. E-First: clinicians enter data while the patient is there. E-Last: data staff enter it later from paper. Partial: some service areas only. Not deployed and not operational sites do not use it. E-Fast is recorded as the site states it.",
  },
  year: {
    name: "Fiscal year (FY)",
    text: "FY 2027 runs from 1 October 2026 to 30 September 2027. Quarter 1 is October to December.",
  },
  held: {
    name: "Held",
    text: "A visit or a TDB with a value far from usual. It is stored and shown, but no figure counts it until an administrator accepts it.",
  },
  partner: {
    name: "Implementing partner (IP)",
    text: "The organisation that supports SmartCare at a facility. A facility has one partner or none, and counts for the partner it has today.",
  },
  unknown: {
    name: "Not recorded, not checked",
    text: "Nobody gave an answer. That is neither yes nor no: it counts in no share, and makes no site “stopped working” or “lost power”.",
  },
  overdue: {
    name: "Overdue",
    text: "A site whose next TDB is due and has not come, or that never sent one although SmartCare is deployed there.",
  },
  power: {
    name: "Power",
    text: "A site has power if its last visit found that primary or backup power works. “Without power” means that neither does.",
  },
  question: {
    name: "Question",
    text: "What is counted, by what it is grouped, of which place and period. A question has an address, so it can be sent to somebody; saved, it has a name and a CSV file that stays up to date.",
  },
  registry: {
    name: "Registry",
    text: "The national list of facilities, places and partners, with the codes that other systems use for the same facility. Imports and comparisons with other lists begin there.",
  },
  rollout: {
    name: "Rollout",
    text: "A SmartCare version that chosen sites are to install: they are offered it, fetch it, and show by a TDB that it runs.",
  },
  setAside: {
    name: "Set aside",
    text: "A visit or a TDB that an administrator took out of all figures, with a reason. It stays where it is and can be restored.",
  },
  target: {
    name: "Target",
    text: "The percentage of assessed sites that should work, or have power, in a fiscal year: for the country, a province, a district or a partner. The nearest target counts.",
  },
  tdb: {
    name: "TDB",
    text: "Transport database: the data of a facility, exported by SmartCare as one .tdbx file. It may hold patients' data, so its content is confidential. A delta TDB holds only what changed since the one before.",
  },
  ledger: {
    name: "What changed",
    text: "Every change of a site's state in a place and a period: from what, to what, on which day and who recorded it.",
  },
  worklist: {
    name: "Work list",
    text: "The open problems of sites that the figures show: stopped working, lost power, no data, an old version, never assessed. An entry goes when a visit or a TDB shows that its reason is gone.",
  },
  works: {
    name: "Works",
    text: "A site works if its last visit found that SmartCare works there. Sites where the visit found that it does not count as “does not work”, also those where SmartCare was never deployed. Sites that nobody assessed count as neither.",
  },
} as const;
export type Term = keyof typeof terms;
