import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The packages that a release holds: those in the bundles, and those that the image installs beside them. `npm sbom`
 * cannot list the former: for npm they are needed only to develop.
 */

/** Collects the folders of the packages in a bundle, as package-lock.json names them: node_modules/react. */
export const collectPackages = (folders) => ({
  name: "collect-packages",
  generateBundle(_, bundle) {
    for (const { moduleIds = [] } of Object.values(bundle)) {
      for (const id of moduleIds) {
        const [folder] = /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id) ?? [];
        if (folder) folders.add(folder);
      }
    }
  },
});

/** A package as a component of CycloneDX. */
function componentOf(folder, { name, version, license, integrity }, bundled) {
  const named = name ?? folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length);
  const purl = `pkg:npm/${named.replace("@", "%40")}@${version}`;
  const [, digest] = /^sha512-(\S+)$/.exec(integrity ?? "") ?? [];
  return {
    type: "library",
    "bom-ref": `${purl}#${folder}`,
    name: named,
    version,
    purl,
    licenses: license ? [{ expression: license }] : [],
    ...(digest ? { hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }] } : {}),
    properties: [{ name: "platform:held", value: bundled.has(folder) ? "bundle" : "image" }],
  };
}

/** Writes the list of components (CycloneDX 1.6) and the list of their licences into a build. */
export function writeComponents(root, bundled) {
  const read = (file) => JSON.parse(readFileSync(join(root, file), "utf8"));
  const { packages } = read("package-lock.json");
  const { name, version } = read("package.json");
  const unknown = [...bundled].filter((folder) => !packages[folder]);
  if (unknown.length > 0) throw new Error(`package-lock.json lacks bundled packages: ${unknown.join(", ")}`);
  const components = Object.entries(packages)
    .filter(([folder, { dev, link }]) => folder.startsWith("node_modules/") && !link && (!dev || bundled.has(folder)))
    .map(([folder, found]) => {
      // Older packages name their licences in a list, which package-lock.json leaves out.
      const license = found.license ?? read(`${folder}/package.json`).licenses?.[0]?.type;
      return componentOf(folder, { ...found, license }, bundled);
    })
    .toSorted((a, b) => (a["bom-ref"] < b["bom-ref"] ? -1 : 1));
  // Without a time and a serial number, so that two builds of one commit are equal.
  const bom = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { type: "application", "bom-ref": name, name, version } },
    components,
  };
  writeFileSync(join(root, "dist", "sbom.cdx.json"), `${JSON.stringify(bom, null, 2)}\n`);
  const lines = components.map(
    ({ licenses: [licence], name: named, version: numbered }) =>
      `${licence?.expression ?? "not named, see the package"}\t${named} ${numbered}`,
  );
  writeFileSync(join(root, "dist", "licences.txt"), `${[...new Set(lines)].toSorted().join("\n")}\n`);
}
