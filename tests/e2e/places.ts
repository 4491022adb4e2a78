// Paths of the build, set by CMakeLists.txt.
const told = (name: string): string => {
  const value = process.env[name];
  if (value === undefined)
    throw new Error(`${name} is not set; run the tests with ctest, or see tests/e2e/CMakeLists.txt`);
  return value;
};

export const program = told("E2E_PROGRAM");
export const source = told("E2E_SOURCE");
export const openApiFile = `${source}/docs/reference/openapi.json`;
export const apiGuide = `${source}/docs/reference/api.md`;
export const readme = `${source}/README.md`;
export const errorsPage = `${source}/docs/reference/errors.md`;
export const anvil = `${source}/tests/node/node_modules/.bin/anvil`;
export const postgresBin = "/usr/lib/postgresql/15/bin";
