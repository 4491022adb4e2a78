// Checks requests and responses against docs/reference/openapi.json. It is stricter than the document requires: a response with an
// undocumented field is an error, so that the document stays complete.
import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

type Json = { [key: string]: any };

export type Operation = {
  id: string;
  method: string;
  path: string;
  spec: Json;
  /** The required scope; none: no key is needed. */
  scope: string | undefined;
  hasBody: boolean;
};

export type Request = { method: string; target: string; headers: Record<string, string>; body?: unknown };
export type Answer = { status: number; headers: Headers; body: unknown };

const words = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

// Objects with named fields allow no others.
function closed(schema: any): any {
  if (Array.isArray(schema)) return schema.map(closed);
  if (schema === null || typeof schema !== "object") return schema;
  const copy: Json = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  if (copy["type"] === "object" && copy["properties"] && !("additionalProperties" in copy)) {
    copy["additionalProperties"] = false;
  }
  return copy;
}

export class ApiDocument {
  readonly text: Json;
  readonly operations: Operation[];
  readonly #ajv: Ajv2020;
  readonly #compiled = new Map<string, ValidateFunction>();

  static load(file: string): ApiDocument {
    return new ApiDocument(JSON.parse(readFileSync(file, "utf8")));
  }

  constructor(text: Json) {
    this.text = text;
    this.operations = Object.entries(text["paths"] as Json).flatMap(([path, item]) =>
      ["get", "post", "put", "patch", "delete"]
        .filter((method) => item[method])
        .map((method) => {
          const spec = {
            ...item[method],
            parameters: [...(item.parameters ?? []), ...(item[method].parameters ?? [])],
          };
          const isOpen = spec.security.length === 0 || spec.security.some((one: Json) => Object.keys(one).length === 0);
          const scope = isOpen ? undefined : spec.security[0].bearerKey[0];
          return {
            id: spec.operationId,
            method: method.toUpperCase(),
            path,
            spec,
            scope,
            hasBody: !!spec.requestBody,
          };
        }),
    );
    this.#ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true });
    (addFormats as any)(this.#ajv);
    this.#ajv.addKeyword("components"); // the document's schemas
    const schemas = text["components"].schemas;
    this.#ajv.addSchema({ $id: "http://requests/", components: { schemas } });
    this.#ajv.addSchema({ $id: "http://answers/", components: { schemas: closed(schemas) } });
  }

  /** The operation that serves it; a path without parameters takes precedence. */
  operationOf(method: string, target: string): Operation | undefined {
    const path = target.split("?")[0]!;
    const fits = this.operations.filter((operation) => {
      const pattern = operation.path
        .split(/\{\w+\}/)
        .map(words)
        .join("[^/]+");
      return operation.method === method && new RegExp(`^${pattern}$`).test(path);
    });
    return fits.find((operation) => operation.path === path) ?? fits[0];
  }

  /** Why the request does not fit the document; empty when it does. */
  faultsOfRequest(operation: Operation, request: Request): string[] {
    const given = new URL(request.target, "http://x");
    const values = new RegExp(`^${operation.path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`).exec(given.pathname)?.groups;
    const parameters: Json[] = operation.spec["parameters"].map((parameter: Json) => this.#resolved(parameter));
    const faults = parameters.flatMap((parameter) => {
      const name: string = parameter["name"];
      const text =
        parameter["in"] === "path"
          ? decodeURIComponent(values?.[name] ?? "")
          : parameter["in"] === "query"
            ? given.searchParams.get(name)
            : request.headers[name.toLowerCase()];
      if (text === null || text === undefined) return parameter["required"] ? [`${name} is missing`] : [];
      const value = parameter["schema"].type === "integer" ? Number(text) : text;
      return this.#faults(parameter["schema"], value, "http://requests/").map((fault) => `${name} ${fault}`);
    });
    for (const name of given.searchParams.keys()) {
      if (!parameters.some((one) => one["in"] === "query" && one["name"] === name)) faults.push(`${name} is unknown`);
    }
    if (request.body === undefined) return operation.spec["requestBody"]?.required ? [...faults, "no body"] : faults;
    if (!operation.hasBody) return [...faults, "a body"];
    const schema = operation.spec["requestBody"].content["application/json"].schema;
    return [...faults, ...this.#faults(schema, request.body, "http://requests/").map((fault) => `body${fault}`)];
  }

  faultsOfAnswer(operation: Operation, answer: Answer): string[] {
    const documented = operation.spec["responses"][answer.status];
    if (!documented) return [`the status ${answer.status} is not documented`];
    const { content, headers } = this.#resolved(documented);
    const missing = Object.entries(headers ?? {})
      .filter(([name, header]) => this.#resolved(header as Json)["required"] && !answer.headers.has(name))
      .map(([name]) => `the header ${name} is missing`);
    const type = (answer.headers.get("content-type") ?? "").split(";")[0]!;
    if (!content[type]) return [...missing, `the content type "${type}" is not documented`];
    return [...missing, ...this.#faults(content[type].schema, answer.body, "http://answers/")];
  }

  #resolved(what: Json): Json {
    if (!what["$ref"]) return what;
    return what["$ref"]
      .slice(2)
      .split("/")
      .reduce((at: Json, key: string) => at[key], this.text);
  }

  #faults(schema: Json, value: unknown, base: string): string[] {
    const key = base + JSON.stringify(schema);
    let check = this.#compiled.get(key);
    if (!check) {
      const shape = base === "http://answers/" ? closed(schema) : schema;
      check = this.#ajv.compile(JSON.parse(JSON.stringify(shape).replaceAll('"$ref":"#', `"$ref":"${base}#`)));
      this.#compiled.set(key, check);
    }
    if (check(value)) return [];
    return (check.errors ?? []).map(
      (error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
    );
  }
}
