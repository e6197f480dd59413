/**
 * A rule for oxlint: the function of an effect has a block. React calls what an effect returns when it ends, so a short
 * arrow function that happens to return something (`scrollTo` returns a promise) crashes the page.
 */
const effects = new Set(["useEffect", "useLayoutEffect", "useInsertionEffect"]);

const block = {
  create: (context) => ({
    CallExpression({ callee, arguments: [effect] }) {
      if (callee.type !== "Identifier" || !effects.has(callee.name)) return;
      if (effect?.type !== "ArrowFunctionExpression" || effect.body.type === "BlockStatement") return;
      context.report({
        node: effect.body,
        message: "An effect needs a block: it returns its cleanup with `return`, or nothing.",
      });
    },
  }),
};

// oxlint-disable-next-line import/no-default-export -- a plugin of oxlint is a default export
export default { meta: { name: "effects" }, rules: { block } };
