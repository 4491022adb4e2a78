// Certificates generated at run time, so that none expires in the repository.
import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { run } from "./own_process.ts";
import type { World } from "./world.ts";

export type Certificate = { file: string; keyFile: string };

/** A self-signed certificate authority. */
export class Authority {
  readonly #world: World;
  readonly #own: Certificate;

  private constructor(world: World, own: Certificate) {
    this.#world = world;
    this.#own = own;
  }

  /** The file with its certificate. */
  get file(): string {
    return this.#own.file;
  }

  static async make(world: World, name: string): Promise<Authority> {
    const own = placesOf(world, name);
    await run([...newKey(own, name), "-x509", "-days", "1", "-out", own.file]);
    return new Authority(world, own);
  }

  /** A certificate for this name; servers use 127.0.0.1. */
  async certify(name: string): Promise<Certificate> {
    const made = placesOf(this.#world, name);
    const request = `${made.file}.request`;
    const extensions = `${made.file}.extensions`;
    writeFileSync(extensions, "subjectAltName=IP:127.0.0.1\n");
    await run([...newKey(made, name), "-out", request]);
    const by = ["-CA", this.#own.file, "-CAkey", this.#own.keyFile, "-CAcreateserial"];
    const what = ["-req", "-in", request, "-extfile", extensions, "-days", "1", "-out", made.file];
    await run(["openssl", "x509", ...what, ...by]);
    return made;
  }
}

const placesOf = (world: World, name: string): Certificate => ({
  file: join(world.folder, `${name}.pem`),
  keyFile: join(world.folder, `${name}.key`),
});

function newKey({ keyFile }: Certificate, name: string): string[] {
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  return ["openssl", "req", "-new", ...kind, "-keyout", keyFile, "-subj", `/CN=${name}`];
}
