// The second table of boundaries.ts: what is closed to all but a few.

/** Files and folders that only these may import, whatever their own row allows. `path`: a prefix, or a pattern. */
export const reserved: readonly {
  readonly path: string | RegExp
  readonly by: RegExp
  readonly why: string
}[] = [
  {
    path: /^src\/treasury\/(?:[^/]*-)?queries\.ts$/,
    by: /^src\/treasury\//,
    why: 'the treasury has a function for queries of its tables',
  },
  {
    path: 'src/signer/client.ts',
    by: /^src\/(?:treasury|cli)\//,
    why: 'only what sends our money, and the commands, call the signer',
  },
  {
    path: 'src/audit/',
    by: /^src\/(?:cli|operator-jobs)\//,
    why: 'only the commands and the jobs of operators inspect',
  },
  {
    path: 'src/rails/registry.ts',
    by: /^src\/(?:app\/core\.ts|cli\/|rails\/connection-types\.ts)/,
    why: 'an import of it pulls in all rails: app/core.ts and the commands pass each folder its part',
  },
  {
    path: 'src/rails/connection-types.ts',
    by: /^src\/(?:app\/(?:core|work|dashboard)\.ts|cli\/)/,
    why: 'it pulls in all rails, like the registry',
  },
  {
    path: 'src/cells/',
    by: /^src\/cli\//,
    why: 'no call reads the directory of cells, and no process that faces the web may write it',
  },
  {
    path: 'src/operator-jobs/',
    by: /^src\/(?:operator-jobs|dashboard|cli|app)\//,
    why: 'only operators request these jobs',
  },
  {
    path: 'src/http/',
    by: /^src\/(?:app\/(?:server|dashboard|callbacks|ready)\.ts|dashboard\/)/,
    why: 'only app/ mounts it, and the dashboard its routes for members',
  },
  {
    path: 'src/checkout/',
    by: /^src\/(?:app\/pages\.ts|dashboard\/)/,
    why: 'only app/pages.ts mounts it, and the dashboard shows it in previews',
  },
  {
    path: 'src/operator/',
    by: /^src\/(?:dashboard|cli|metrics|app)\//,
    why: 'only operators do this: by a command, or in the console',
  },
  {
    path: 'src/reference/',
    by: /^src\/(?:app\/docs|app\/pages|cli\/mcp)\.ts$/,
    why: 'only app/pages.ts mounts it, app/docs.ts builds its site, and mcp.ts hands its pages to agents',
  },
  {
    path: 'src/metrics/',
    by: /^src\/app\/(?:core|metrics)\.ts$/,
    why: 'only app/metrics.ts loads it: prom-client is not loaded where nobody reads metrics',
  },
  { path: 'src/dashboard/', by: /^src\/app\/dashboard\.ts$/, why: 'only app/dashboard.ts mounts it' },
  {
    path: 'src/config.ts',
    by: /^src\/(?:main\.ts|app\/(?:core|work|pages|dashboard|metrics|callbacks)\.ts|cli)/,
    why: 'parts get their settings as arguments',
  },
  { path: 'src/app/', by: /^src\/(?:main\.ts|app\/|cli)/, why: 'only the commands start it' },
  { path: 'src/main.ts', by: /^$/, why: 'nothing imports the program itself' },
  { path: 'src/cli', by: /^src\/(?:main\.ts|cli)/, why: 'only main.ts runs the commands' },
]
