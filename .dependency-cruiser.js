import { subjects } from './build/subjects.js';

// Who may import whom. tests/boundaries plants a violation of every rule below and expects exactly that rule to fire,
// so a rule added here needs a plant there.

const server = '^apps/server/src';
const features = `${server}/features`;
const admin = '^apps/admin/src';
const pages = `${admin}/features`;
const testCode = '[.](test|scenarios)[.]ts$|^apps/server/testing/|^tests/';
const tables =
  '^packages/(contract/src/(attention|author-names|event-csv|event-summary|event-types|long-number|permissions)|evaluation/src/(operators|values))[.]ts$';
const npm = (...names) => `(^|/)node_modules/(${names.join('|')})/`;

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const forbidden = [
  {
    name: 'no-circular',
    comment:
      'Modules in a cycle can only be understood, tested and loaded together. Imports of types count: modules that ' +
      'need each other’s types are one module in two files.',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  {
    name: 'not-to-unresolvable',
    comment: 'An import that leads nowhere fails at run time, and no other rule can see what it would have reached.',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: 'kernel-imports-nothing',
    comment:
      'Everything imports the kernel, so an import of the kernel would be everywhere. It imports only Node’s own modules.',
    severity: 'error',
    from: { path: `${server}/kernel/`, pathNot: testCode },
    to: { pathNot: `${server}/kernel/`, dependencyTypesNot: ['core'] },
  },
  {
    name: 'lower-layers-not-to-features',
    comment:
      'Storage, http, jobs, observe and config carry every feature and know none: a feature hands them what they need. ' +
      'Nothing calls back up.',
    severity: 'error',
    from: { path: `${server}/(storage|http|jobs|observe|config)/`, pathNot: testCode },
    to: { path: `${features}/` },
  },
  {
    name: 'storage-shared-files-below-folders',
    comment:
      'The files of storage above its folders are the terms that both engines and all features share. Only database.ts ' +
      'chooses an engine and starts the writer.',
    severity: 'error',
    from: { path: `${server}/storage/[^/]+$`, pathNot: [`${server}/storage/database[.]ts$`, testCode] },
    to: { path: `${server}/storage/(sqlite|postgres|commit|backup|migrations)/` },
  },
  {
    name: 'storage-commit-below-engines',
    comment: 'A commit is the same on both engines: what differs is behind WriteConnection and Engine.',
    severity: 'error',
    from: { path: `${server}/storage/commit/`, pathNot: testCode },
    to: { path: `${server}/storage/(sqlite/|postgres/|backup/|database[.]ts$)` },
  },
  {
    name: 'storage-engines-apart',
    comment: 'Each engine can be read, changed or removed without the other. What both need is a shared file.',
    severity: 'error',
    from: { path: `${server}/storage/(sqlite|postgres)/`, pathNot: testCode },
    to: { path: `${server}/storage/(sqlite|postgres)/`, pathNot: `${server}/storage/$1/` },
  },
  {
    name: 'storage-engines-below-backup',
    comment: 'Backup and restore use the engines; an engine does not know that it is backed up, nor who opens it.',
    severity: 'error',
    from: { path: `${server}/storage/(sqlite|postgres)/`, pathNot: testCode },
    to: { path: `${server}/storage/(backup/|database[.]ts$)` },
  },
  {
    name: 'only-app-knows-app',
    comment:
      'App puts the parts together and is the one folder that knows them all. A part that reaches back for it has an ' +
      'input that its signature hides. Only the command line starts the app.',
    severity: 'error',
    from: {
      path: '^(apps|packages)/',
      pathNot: [`${server}/app/`, `${server}/main[.]ts$`, '^apps/server/bin/', testCode],
    },
    to: { path: [`${server}/app/`, `${server}/main[.]ts$`, '^apps/server/bin/'] },
  },
  {
    name: 'feature-only-through-index',
    comment:
      'A feature’s index.ts is all that it offers other features. What lies behind it can be changed without asking them.',
    severity: 'error',
    from: { path: `${features}/([^/]+/[^/]+)/` },
    to: { path: `${features}/[^/]+/[^/]+/`, pathNot: [`${features}/$1/`, `${features}/[^/]+/[^/]+/index[.]ts$`] },
  },
  {
    name: 'no-cycle-between-features',
    comment:
      'Two features that need each other are one feature, or hide a third that both need. This looks at whole features, ' +
      'so it also sees a cycle in which no single module takes part twice.',
    severity: 'error',
    scope: 'folder',
    from: { path: `${features}/[^/]+/[^/]+$` },
    to: { path: `${features}/[^/]+/[^/]+$`, circular: true },
  },
  ...subjects.slice(1).map((subject, above) => ({
    name: `${subject}-not-to-higher-subjects`,
    comment: `The subjects of features are floors, top first: ${subjects.join(', ')}. None imports a higher one.`,
    severity: 'error',
    from: { path: `${features}/${subject}/`, pathNot: testCode },
    to: { path: `${features}/(${subjects.slice(0, above + 1).join('|')})/` },
  })),
  {
    name: 'across-folders-by-subpath',
    comment:
      'An import that leaves its feature is a subpath import, such as #storage/commit/write.ts: it reads the same in every ' +
      'file, and stays when the file moves.',
    severity: 'error',
    from: { path: `${features}/([^/]+/[^/]+)/` },
    to: { path: '^apps/server/', pathNot: `${features}/$1/`, dependencyTypesNot: ['aliased-subpath-import'] },
  },
  {
    name: 'room-only-through-index',
    comment:
      'A feature too large for one folder has rooms. What holds between features holds between them: index.ts is all that ' +
      'a room offers the others, and what the whole feature offers is put together above them.',
    severity: 'error',
    from: { path: `${features}/([^/]+/[^/]+)/([^/]+)/`, pathNot: testCode },
    to: { path: `${features}/$1/[^/]+/`, pathNot: [`${features}/$1/$2/`, `${features}/$1/[^/]+/index[.]ts$`] },
  },
  {
    name: 'feature-takes-rooms-through-index',
    comment: 'What puts the rooms of a feature together takes each as the other rooms do.',
    severity: 'error',
    from: { path: `${features}/([^/]+/[^/]+)/[^/]+$`, pathNot: testCode },
    to: { path: `${features}/$1/[^/]+/`, pathNot: `${features}/$1/[^/]+/index[.]ts$` },
  },
  {
    name: 'room-not-to-its-feature',
    comment: 'The files of a feature above its rooms put them together; a room that reaches up for one closes a ring.',
    severity: 'error',
    from: { path: `${features}/([^/]+/[^/]+)/[^/]+/`, pathNot: testCode },
    to: { path: `${features}/$1/[^/]+$` },
  },
  {
    name: 'no-cycle-between-rooms',
    comment: 'As between features: rooms that need each other are one room, or hide a third that both need.',
    severity: 'error',
    scope: 'folder',
    from: { path: `${features}/[^/]+/[^/]+/[^/]+$` },
    to: { path: `${features}/[^/]+/[^/]+/[^/]+$`, circular: true },
  },
  {
    name: 'no-cycle-in-a-room',
    comment:
      'A room with folders of its own is read from one end to the other, such as record, views, deciding, acting.',
    severity: 'error',
    scope: 'folder',
    from: { path: `${features}/[^/]+/[^/]+/[^/]+/[^/]+$` },
    to: { path: `${features}/[^/]+/[^/]+/[^/]+/[^/]+$`, circular: true },
  },
  {
    name: 'fastify-only-in-http',
    comment:
      'Features speak in the contract’s terms. The web framework can then be changed, or left out, in one folder.',
    severity: 'error',
    from: { path: '^(apps|packages)/', pathNot: `${server}/http/` },
    to: { path: npm('fastify', 'fastify-[^/]+', '@fastify') },
  },
  {
    name: 'drivers-only-in-storage',
    comment:
      'One set of queries serves two engines only while the query builder and the drivers stay behind storage; a feature ' +
      'takes Db, Tx and the sql tag from there.',
    severity: 'error',
    from: { path: '^(apps|packages)/', pathNot: [`${server}/storage/`, testCode] },
    to: { path: [npm('kysely', 'pg', 'pg-[^/]+', '@types/pg'), '^(node:)?sqlite$'] },
  },
  {
    name: 'contract-only-zod',
    comment:
      'The contract is read by the server, the UI and the documentation, in Node and in a browser. It is schemas, and the ' +
      'table of operators that evaluation implements, nothing else.',
    severity: 'error',
    from: { path: '^packages/contract/', pathNot: testCode },
    to: { pathNot: ['^packages/contract/', '^packages/evaluation/src/(operators|values)[.]ts$', npm('zod')] },
  },
  {
    name: 'evaluation-without-io',
    comment:
      'Evaluation is a pure function: what it needs to know is handed to it, so it reads no file, network or chance of its own.',
    severity: 'error',
    from: { path: '^packages/evaluation/', pathNot: testCode },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'evaluation-stands-alone',
    comment:
      'Evaluation is used by the server and runs without it: it needs neither its schemas nor its framework, only an engine ' +
      'for patterns.',
    severity: 'error',
    from: { path: '^packages/evaluation/', pathNot: testCode },
    to: { pathNot: ['^packages/evaluation/', npm('re2js')], dependencyTypesNot: ['core'] },
  },
  {
    name: 'documentation-imports-no-product-code',
    comment:
      'The documentation is built before anything runs, from Markdown alone. It shares one build step with the UI.',
    severity: 'error',
    from: { path: '^apps/docs/', pathNot: testCode },
    to: { path: ['^apps/(?!docs/|admin/build/)', '^packages/'] },
  },
  {
    name: 'admin-not-to-server',
    comment: 'The UI knows the server by its HTTP interface alone, like every other client.',
    severity: 'error',
    from: { path: '^apps/admin/', pathNot: testCode },
    to: { path: '^apps/(?!admin/)' },
  },
  {
    name: 'admin-lower-floors-not-to-features',
    comment:
      'The floors of the UI, top first: app, features, entities (what several features need of one kind of object: its ' +
      'queries, words, fields and dialogs), ui, lib. No floor imports a higher one.',
    severity: 'error',
    from: { path: `${admin}/(entities|ui|lib)/`, pathNot: testCode },
    to: { path: `${admin}/(features|app)/` },
  },
  {
    name: 'admin-base-not-to-entities',
    comment: 'What ui and lib offer serves every kind of object and knows none.',
    severity: 'error',
    from: { path: `${admin}/(ui|lib)/`, pathNot: testCode },
    to: { path: `${admin}/entities/` },
  },
  {
    name: 'admin-features-not-to-app',
    comment: 'App puts the pages of all features together. A feature that reaches back for it closes a ring.',
    severity: 'error',
    from: { path: `${pages}/`, pathNot: testCode },
    to: { path: `${admin}/app/` },
  },
  {
    name: 'admin-feature-only-through-index',
    comment:
      'As on the server: a feature’s index.ts is all that it offers other features. Only app takes pages from their own ' +
      'files, so that each page is loaded when it is opened.',
    severity: 'error',
    from: { path: `${pages}/([^/]+)/` },
    to: { path: `${pages}/[^/]+/`, pathNot: [`${pages}/$1/`, `${pages}/[^/]+/index[.]ts$`] },
  },
  {
    name: 'admin-no-cycle-between-features',
    comment: 'As on the server. What two features of the UI need of each other belongs into a folder of entities.',
    severity: 'error',
    scope: 'folder',
    from: { path: `${admin}/(features|entities)/[^/]+$` },
    to: { path: `${admin}/(features|entities)/[^/]+$`, circular: true },
  },
  {
    name: 'admin-takes-only-types-and-tables-from-packages',
    comment:
      'Types cost nothing in the browser; schemas would put Zod and every route into the bundle, and evaluation an engine ' +
      'for patterns. The columns of CSV, long numbers, the names of authors and the tables of event types, permissions and operators are ' +
      'modules of their own.',
    severity: 'error',
    from: { path: '^apps/admin/', pathNot: testCode },
    to: { path: '^packages/', pathNot: tables, dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'tables-import-nothing',
    comment: 'These modules are in the bundle of the UI, and so would be what they import.',
    severity: 'error',
    from: { path: tables },
    to: {},
  },
  {
    name: 'examples-stand-alone',
    comment:
      'An example shows what people can do with a server that runs somewhere. What it took from the code of the server they ' +
      'could not copy.',
    severity: 'error',
    from: { path: '^examples/' },
    to: { path: '^(apps|packages|bench|docs|tests)/' },
  },
  {
    name: 'only-tests-import-tests',
    comment: 'Test code is not shipped and may assume what only a test may assume.',
    severity: 'error',
    from: { pathNot: testCode },
    to: { path: testCode },
  },
];

/** @satisfies {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden,
  options: {
    // Test code starts the whole app, which needs every feature: a way round from feature to feature through it is no cycle.
    doNotFollow: { path: ['node_modules', '^apps/server/testing/'] },
    exclude: { path: '^(apps|packages)/[^/]+/dist/' },
    moduleSystems: ['es6', 'cjs'],
    tsPreCompilationDeps: true,
    detectProcessBuiltinModuleCalls: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
