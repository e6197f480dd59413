import { execFileSync, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import { freePort } from "../bench/freePort.ts";

/** nginx in front of a fleet, with the site of deploy/nginx.conf but without TLS. */
export type Proxy = {
  url: string;
  /** Sends to these gateways from now on, as an operator who changes the list and reloads. */ pass: (
    urls: string[],
  ) => Promise<void>;
  stop: () => Promise<void>;
};

/** The site as nginx reads it here. The storm's people each send their own address in X-Forwarded-For. */
function siteOf(text: string, port: number, gateways: readonly string[]): string {
  const servers = gateways.map((url) => `  server ${new URL(url).host} max_fails=2 fail_timeout=5s;`).join("\n");
  return text
    .replace(/^ {2}server 127\.0\.0\.1:4000 .*$/m, servers || "  server 127.0.0.1:1;")
    .replace(/^server \{\n {2}listen 80;[^]*?^\}\n/m, "")
    .replace(/^ {2}listen 443 ssl http2;$/m, `  listen 127.0.0.1:${port};`)
    .replaceAll(/^ {2}(ssl_|add_header Strict).*\n/gm, "")
    .replace("X-Forwarded-For $remote_addr", "X-Forwarded-For $http_x_forwarded_for");
}

/** @throws Error if nginx is not installed */
export async function startProxy(): Promise<Proxy> {
  const [folder, port, text] = [
    await mkdtemp(join(tmpdir(), "upgrade-nginx-")),
    await freePort(),
    await readFile("deploy/nginx.conf", "utf8"),
  ];
  const main = join(folder, "nginx.conf");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(" ");
  const write = (gateways: readonly string[]) => writeFile(join(folder, "site.conf"), siteOf(text, port, gateways));
  await mkdir(join(folder, "proxy"), { recursive: true });
  await writeFile(
    main,
    `daemon off; user root; worker_processes 2; pid ${folder}/pid; error_log ${folder}/error.log; events {}\nhttp { access_log off; ${temporary} include ${folder}/site.conf; }\n`,
  );
  await write([]);
  const run = (...more: string[]) =>
    execFileSync("nginx", ["-c", main, "-e", join(folder, "error.log"), ...more], {
      stdio: ["ignore", "ignore", "pipe"],
    });
  run("-t");
  const child = spawn("nginx", ["-c", main, "-e", join(folder, "error.log")], { stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await setTimeout(300);
  return {
    url: `http://127.0.0.1:${port}`,
    async pass(gateways) {
      await write(gateways);
      run("-s", "reload");
    },
    async stop() {
      child.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
