/** Breaking changes of the GraphQL schema, each with the reason why it was made. */
export const explainedChanges: { change: RegExp; reason: string }[] = [
  {
    change:
      /^[A-Z]\w+Connection(Edge)? was removed\.$|^\w+\.\w+ changed type from \w+Connection!? to \w+Connection!?\.$/,
    reason:
      "One connection type for each noun. Only fragments on the former type names notice; the client has none, and its kept documents pass.",
  },
  {
    change: /^(SilentSiteCount|TdbSilence)\.irregular changed type from (Int|Boolean)! to (Int|Boolean)\.$/,
    reason:
      "Silent sites are open to everybody, their irregularities are not: null for people who may not see TDBs. Those who could read them before still get a value.",
  },
];
