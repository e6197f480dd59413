import { shownFileName } from "../../gateway/input/fileName.rules.ts";
import { lineForm } from "../../gateway/input/identity.rules.ts";
import { type Answer, bodyOf, type TestGateway } from "../support/gateway.ts";
import { sendForm } from "../support/tdbx.ts";

/** The texts of the calls that take files, of both interfaces. */

export type Errors = { code: string; path: string; message: string }[];
type Said = { title: string; detail: string; errors?: Errors };
type Receipt = { fileName: string; error: { message: string } };

/** What an answer of REST refuses. @throws if the server failed */
export function errorsIn(answer: Pick<Answer, "status" | "body">): Errors {
  if (answer.status < 400) return [];
  if (Array.isArray(answer.body))
    return bodyOf<Receipt[]>(answer).map(({ error, fileName }) => ({ code: "INVALID", path: fileName, ...error }));
  const { title, detail, errors } = bodyOf<Said>(answer);
  if (answer.status >= 500) throw new Error(`${answer.status} ${title}`);
  const code = answer.status === 422 ? "INVALID" : title;
  return (errors ?? [{ path: "", message: detail }]).map((each) => ({ ...each, code }));
}

/** What an answer tells in another form than that in which it should be stored. */
function notInForm(answer: Answer): Errors {
  if (answer.status !== 200) return [];
  const { source, name, description, fileName } = bodyOf<Record<string, string | undefined>>(answer);
  const lines = Object.entries({ source, name, description }).filter(([, text]) => text && text !== lineForm(text));
  const files = fileName && fileName !== shownFileName(fileName) ? [["fileName", fileName] as const] : [];
  return [...lines, ...files].map(([path, text]) => ({ code: "", path, message: `${text} is not in its form` }));
}

type Sent = { fields: Record<string, string>; name: string; content: string };
type Call = Sent & {
  path: string;
  /** the field of the mutation, and the variables that it needs beside the file */
  mutation: string;
  variables: string;
};

const row = (cells: string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",");
const list = (heading: string, code: string) =>
  `${row(["facilityName", "province", "district", heading])}\n${row(["None", "Central", "Chibombo", code])}`;
const lists = { name: "list.csv", content: list("hmisCode", "") };
const choices = ["encoding", "sheet", "headerLine", "level", "columns", "empty", "places", "step"];

const calls: Call[] = [
  {
    ...lists,
    path: "/registry/import",
    fields: { ...Object.fromEntries(choices.map((name) => [name, ""])), source: "Texts" },
    mutation: "prepareRegistryImport(file: $file) { errors { code path message } }",
    variables: "",
  },
  {
    ...lists,
    path: "/registry/reconciliations",
    fields: { source: "Texts" },
    mutation: "reconcileRegistry(file: $file, source: $source) { errors { code path message } }",
    variables: ", $source: String!",
  },
  {
    path: "/download",
    name: "texts.zip",
    content: "none",
    fields: { fileName: "Texts.zip", fileDescription: "A file of texts", fileType: "OTHER", dbKey: "" },
    mutation:
      "addDownload(input: { file: $file, fileName: $fileName, fileDescription: $fileDescription, fileType: $fileType, dbKey: $dbKey }) { errors { code path message } }",
    variables: ", $fileName: String, $fileDescription: String!, $fileType: DownloadFileType!, $dbKey: String",
  },
  {
    path: "/tdb",
    name: "texts.tdbx",
    content: "none",
    fields: {},
    mutation: "uploadTdbs(input: { files: [$file] }) { errors { code path message } receipts { fileName } }",
    variables: "",
  },
];

/** The texts of each call: each field, the file's name, and what a list holds; by both interfaces. */
export async function textsOfForms(gateway: TestGateway) {
  const admin = await gateway.as("admin");
  const post = (path: string, form: FormData) => sendForm(gateway.url, path, admin, form);
  const fileOf = ({ content, name }: Sent) => [new Blob([content]), name] as const;
  return calls.flatMap(({ path, mutation, variables, ...whole }) => {
    const texts: Record<string, (text: string) => Sent> = {
      ...Object.fromEntries(
        Object.keys(whole.fields).map((name) => [
          name,
          (text: string) => ({ ...whole, fields: { ...whole.fields, [name]: text } }),
        ]),
      ),
      file: (text) => ({ ...whole, name: `${text}${whole.name}` }),
      ...(whole.name === lists.name
        ? {
            heading: (text) => ({ ...whole, content: list(text, "") }),
            code: (text) => ({ ...whole, content: list("hmisCode", text) }),
            content: (content) => ({ ...whole, content }),
          }
        : {}),
    };
    const isArgument = (name: string) => !(name in whole.fields) || variables.includes(`$${name}:`);
    return Object.entries(texts).flatMap(([name, sentOf]) => {
      const rest = {
        at: `post ${path} ${name}`,
        send: async (text: string): Promise<Errors> => {
          const sent = sentOf(text);
          const form = new FormData();
          for (const [field, value] of Object.entries(sent.fields)) form.append(field, value);
          form.append(path === "/tdb" ? "files" : "file", ...fileOf(sent));
          const answer = await post(`/api/v1${path}`, form);
          return [...errorsIn(answer), ...notInForm(answer)];
        },
      };
      const graphql = {
        at: `${mutation.split("(", 1)[0]} ${name}`,
        send: async (text: string): Promise<Errors> => {
          const sent = sentOf(text);
          const form = new FormData();
          const query = `mutation ($file: Upload!${variables}) { done: ${mutation} }`;
          const known = Object.entries(sent.fields).filter(([field]) => variables.includes(`$${field}:`));
          form.append("operations", JSON.stringify({ query, variables: { ...Object.fromEntries(known), file: null } }));
          form.append("map", '{"0":["variables.file"]}');
          form.append("0", ...fileOf(sent));
          const answer = await post("/graphql", form);
          type Done = { errors: Errors };
          const { data, errors } = bodyOf<{ data?: { done: Done }; errors?: { extensions: object }[] }>(answer);
          // A name with control characters makes a part that no reader of forms takes.
          const codes = JSON.stringify(errors?.map(({ extensions }) => extensions));
          if (!data?.done && !/BAD_VARIABLE|MALFORMED/.test(codes ?? ""))
            throw new Error(`${answer.status} ${answer.text.slice(0, 200)}`);
          return data?.done.errors ?? [];
        },
      };
      return isArgument(name) ? [rest, graphql] : [rest];
    });
  });
}
