// Checks the types of every project, then lints with the same programs:
//
//     node tests/typescript.mjs [types] [lint]      (both when none is named)
//
// `tsc` for each tsconfig.json and `eslint .` give the same findings in twice the time. Here a file
// is parsed once for all projects, checked once, in the project that lists it, and the linter takes
// the types that were computed for the check.
import { ESLint } from 'eslint';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const PROJECTS = ['web', '.', 'tests'];

const parsed = new Map();

/** Reads a project; its source files are those of the projects before it where both have them. */
function open(project) {
  const path = join(root, project, 'tsconfig.json');
  const fail = (diagnostic) => {
    throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'));
  };
  const config = ts.getParsedCommandLineOfConfigFile(
    path,
    { noEmit: true },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail },
  );
  config.errors.forEach(fail);
  const host = ts.createCompilerHost(config.options, true);
  const parse = host.getSourceFile;
  host.getSourceFile = (name, options, ...rest) => {
    const key = `${name} ${JSON.stringify(options)}`;
    if (!parsed.has(key)) parsed.set(key, parse.call(host, name, options, ...rest));
    return parsed.get(key);
  };
  return ts.createProgram({ rootNames: config.fileNames, options: config.options, host });
}

/**
 * Type errors: of each file in the project that lists it, of others in the first that imports them.
 */
function findTypeErrors(programs) {
  const found = programs.flatMap((program) => [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
  ]);
  const seen = new Set();
  const check = (program, file) => {
    if (!file || seen.has(file.fileName)) return;
    seen.add(file.fileName);
    found.push(...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file));
  };
  for (const program of programs) {
    for (const name of program.getRootFileNames()) check(program, program.getSourceFile(name));
  }
  for (const program of programs) {
    for (const file of program.getSourceFiles()) {
      if (
        !program.isSourceFileFromExternalLibrary(file) &&
        !program.isSourceFileDefaultLibrary(file)
      )
        check(program, file);
    }
  }
  return found;
}

const since = (start) => `${((performance.now() - start) / 1000).toFixed(1)} s`;
const asked = process.argv.slice(2);
const wants = (what) => asked.length === 0 || asked.includes(what);

let start = performance.now();
const programs = PROJECTS.map(open);
console.log(`${parsed.size} files read (${since(start)})`);

if (wants('types')) {
  start = performance.now();
  const found = ts.sortAndDeduplicateDiagnostics(findTypeErrors(programs));
  if (found.length > 0) {
    console.log(
      ts.formatDiagnostics(found, {
        getCanonicalFileName: (name) => name,
        getCurrentDirectory: () => root,
        getNewLine: () => '\n',
      }),
    );
    process.exitCode = 1;
  }
  console.log(`${found.length} type errors (${since(start)})`);
}

if (wants('lint')) {
  start = performance.now();
  const eslint = new ESLint({
    cwd: root,
    errorOnUnmatchedPattern: false,
    overrideConfig: [
      {
        files: ['**/*.ts'],
        languageOptions: { parserOptions: { projectService: false, programs } },
      },
    ],
  });
  const results = await eslint.lintFiles(['.']);
  const findings = results.reduce((sum, file) => sum + file.errorCount + file.warningCount, 0);
  if (findings > 0) {
    console.log((await eslint.loadFormatter('stylish')).format(results));
    process.exitCode = 1;
  }
  console.log(`${results.length} files linted, ${findings} findings (${since(start)})`);
}
