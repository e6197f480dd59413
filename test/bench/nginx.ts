import { execFileSync, spawn } from "node:child_process";
import { mkdir, mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import { freePort } from "./freePort.ts";

/**
 * nginx that writes what it receives (PUT) into a folder. It never syncs: after its answer, `sync` does so for the file
 * and its folder.
 */
export type Nginx = { port: number; sync: (name: string) => Promise<void>; stop: () => Promise<void> };

async function syncPath(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

const configuration = (folder: string, port: number) => `
daemon off; master_process off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events {}
http {
  access_log off; client_max_body_size 0; client_body_temp_path ${folder}/part;
  proxy_temp_path ${folder}/t1; fastcgi_temp_path ${folder}/t2; uwsgi_temp_path ${folder}/t3; scgi_temp_path ${folder}/t4;
  server { listen 127.0.0.1:${port}; location / { root ${folder}/files; dav_methods PUT; } }
}`;

/** @returns undefined if there is no nginx, or one without the DAV module */
export async function startNginx(): Promise<Nginx | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "bench-nginx-"));
  const port = await freePort();
  const file = join(folder, "nginx.conf");
  await mkdir(join(folder, "files"));
  await writeFile(file, configuration(folder, port));
  try {
    execFileSync("nginx", ["-t", "-c", file, "-e", join(folder, "error.log")], { stdio: "ignore" });
  } catch {
    await rm(folder, { recursive: true, force: true });
    return undefined;
  }
  const child = spawn("nginx", ["-c", file, "-e", join(folder, "error.log")], { stdio: "ignore" });
  await setTimeout(300);
  return {
    port,
    sync: async (name) => {
      await syncPath(join(folder, "files", name));
      await syncPath(join(folder, "files"));
    },
    stop: async () => {
      child.kill("SIGKILL");
      await rm(folder, { recursive: true, force: true });
    },
  };
}
