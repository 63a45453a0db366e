// Words and constructs that are not used here, each with what to use instead.
import { lineAt } from './lex.ts'
import type { Report, Rule } from './rule.ts'
import { codeFiles, isTest, type SourceFile, type Tree } from './tree.ts'

type Ban = {
  readonly name: string
  readonly pattern: RegExp
  /** The view of a file that is searched. Default: 'code'. */
  readonly within?: 'comments'
  readonly applies: (path: string) => boolean
  /** An exception inside a file that the ban applies to; `before` is the code up to the match. */
  readonly except?: (path: string, before: string) => boolean
  readonly instead: string
}

const everywhere = () => true
/** The product itself, without its tests. */
const product = (path: string) => path.startsWith('src/') && !isTest(path)
const money = (path: string) =>
  product(path) &&
  /^src\/(?:ledger|settlement|wallets|payments|refunds|disputes|withdrawals|http|kernel\/money\.ts$)/.test(
    path,
  )
/** Where an integer becomes a number, or the text of a JSON number or of a query does, before a schema judges it. */
const numberMakers: Readonly<Record<string, string>> = {
  'src/kernel/money.ts': 'toJsonInteger',
  'src/http/json-body.ts': 'numberOf',
  'src/http/query.ts': 'asInteger',
}
const speaks = (path: string) =>
  /^src\/(?:cli|webhooks\/|sandbox\/|rails\/http\.ts$|rails\/[^/]+\/client\.ts$)/.test(path)
const holdsSql = (path: string) => path.startsWith('src/db/') || /(?:\/|-)queries\.ts$/.test(path)
const prints = (path: string) =>
  /^(?:src\/kernel\/log\.ts$|src\/main\.ts$|src\/cli|scripts\/|test\/)/.test(path)

export const bans: readonly Ban[] = [
  {
    name: 'process.env',
    pattern: /\bprocess\s*(?:\?\.|\.)\s*env\b|\bprocess\s*\[|\}\s*=\s*process\b(?!\s*\.)/g,
    applies: (path) => path !== 'src/config.ts' && !path.startsWith('scripts/') && !isTest(path),
    instead: 'a setting of src/config.ts, handed in as an argument',
  },
  {
    name: 'the time of the machine',
    pattern:
      /\bDate\.now\b|\bnew\s+Date\s*(?:\(\s*\)|(?!\s*[(\w]))|(?<!new\s+)(?<![.\w$])Date\s*\(|\bperformance\.now\b|\bprocess\.hrtime\b/g,
    applies: (path) => product(path) && !/^src\/kernel\/(?:time|log)\.ts$/.test(path),
    instead: 'the Clock that is handed in; monotonicMs() of kernel/time.ts for spans',
  },
  {
    name: 'Math.random',
    pattern: /\bMath\.random\b/g,
    applies: everywhere,
    instead: 'randomInt or randomBytes of node:crypto; fast-check in tests',
  },
  {
    name: 'a float near money',
    pattern: /\bparseFloat\b|\.toFixed\s*\(|(?<![.\w$])Number\s*\(/g,
    applies: money,
    except: (path, before) => numberMakers[path] !== undefined && functionAt(before) === numberMakers[path],
    instead: 'bigint minor units; amountToJson and toDecimal of kernel/money.ts',
  },
  {
    name: 'an amount of JSON read by hand',
    pattern: /(?<![.\w$])BigInt\s*\(\s*(?:[\w$]+\s*\??\.\s*)*amount\s*\)/g,
    applies: money,
    except: (path, before) => path === 'src/kernel/money.ts' && functionAt(before) === 'amountFromJson',
    instead: 'amountFromJson of kernel/money.ts',
  },
  {
    name: 'fetch',
    pattern: /(?<![.\w$])(?:globalThis\.)?fetch\s*\(/g,
    applies: (path) => product(path) && !speaks(path),
    instead: 'rails/http.ts, or the client.ts of the rail',
  },
  {
    name: 'SQL outside queries.ts',
    pattern: /(?<![.\w$])(?:sql|tx|db)\s*(?:<[^`]{1,400}?>\s*)?`|\.unsafe\s*\(/g,
    applies: (path) => product(path) && !holdsSql(path),
    instead: 'a named function in the queries.ts of the folder',
  },
  {
    name: 'export default',
    pattern: /\bexport\s+default\b|\bas\s+default\b/g,
    applies: everywhere,
    instead: 'a named export',
  },
  {
    name: 'enum or namespace',
    pattern: /(?<![.\w$])(?:enum|namespace)\s+[A-Za-z_$]/g,
    applies: everywhere,
    instead: 'a union of strings; a module',
  },
  {
    name: 'a class that is no error',
    pattern: /(?<![.\w$])class\s+[\w$]+(?!\s*(?:<[^>]*>)?\s*extends\s+\w*Error\b)(?![\w$])/g,
    applies: everywhere,
    instead: 'a function that returns an object',
  },
  {
    name: 'BigInt.prototype',
    pattern: /\bBigInt\.prototype\b/g,
    applies: everywhere,
    instead: 'toJson of kernel/json.ts, or amountToJson of kernel/money.ts',
  },
  {
    name: 'console',
    pattern: /(?<![.\w$])console\s*\./g,
    applies: (path) => !prints(path),
    instead: 'the Log that is handed in; t.diagnostic in tests',
  },
  {
    name: 'a forced type',
    pattern: /\bas\s+(?:any|never|(?:unknown|object)\s+as)\b/g,
    // There each route has a call of its own type, and a union of functions takes none of them.
    applies: (path) => path !== 'src/dashboard/server.ts',
    instead: 'a type guard, or a type that fits; in tests partly, asId or forbidden of test/',
  },
  {
    name: 'a conditional spread',
    pattern: /\.\.\.\((\w+) === undefined \? \{\} : \{ (?:\w+: )?\1 \}\)/g,
    applies: everywhere,
    instead: 'given({ a, b }) of kernel/given.ts',
  },
  {
    name: 'a test left out',
    pattern: /\.(?:skip|only|todo)\s*\(/g,
    applies: everywhere,
    instead: 'a test that runs',
  },
  {
    name: 'an end of a test that may not be reached',
    // An exception in such a hook skips the closings that follow, and the process never ends.
    pattern:
      /\bafter\s*\(\s*(?:async\s*)?\(\)\s*=>\s*\{(?:(?!\n\s*\}\))[^])*?\b(?:assert|must|verify)\b(?:(?!\n\s*\}\))[^])*?(?:\[Symbol\.(?:asyncDispose|dispose)\]|\.(?:close|stop|end|kill|abort)\s*\(|\brmSync\s*\()/g,
    applies: everywhere,
    instead: '`await using _ = world` as the first line of the hook',
  },
  {
    name: 'a silenced tool',
    pattern:
      /@ts-(?:ignore|expect-error|nocheck)|(?:oxlint|eslint)-(?:disable|enable)|(?:oxfmt|prettier)-ignore/g,
    within: 'comments',
    applies: everywhere,
    instead: 'code that the tool accepts',
  },
  {
    name: 'work left undone',
    pattern: /\b(?:TODO|FIXME|XXX|HACK)\b/g,
    within: 'comments',
    // The rules have to contain what they search for.
    applies: (path) => !path.startsWith('scripts/tidy/'),
    instead: 'the work, or an issue',
  },
]

const statement =
  /^\s*(?:select|insert\s+into|update\s+\w+\s+set|delete\s+from|with\s+\w+\s+as|create|alter|lock|truncate)\b/i

/** One rule for each ban. */
export const bannedRules: readonly Rule[] = bans.map((ban) => ({
  name: `banned: ${ban.name}`,
  check: (tree) => search(tree, ban),
}))

/** A tag may have any name: the template is recognised by SQL keywords. */
export const strayStatements: Rule = {
  name: 'banned: a tagged template that holds a statement, outside queries.ts',
  check: (tree): Report => {
    const files = codeFiles(tree).filter(({ path }) => product(path) && !holdsSql(path))
    return {
      checked: files.length,
      what: 'files',
      findings: files.flatMap((file) =>
        [...tree.views(file).code.matchAll(/[\w$>)\]]`/g)]
          .filter((match) => statement.test(file.text.slice(match.index + 2, match.index + 80)))
          .map((match) => `${file.path}:${lineAt(file.text, match.index)} move the statement to queries.ts`),
      ),
    }
  },
}

/** Notes of work left undone, in the files that are not TypeScript. */
export const leftovers: Rule = {
  name: 'banned: work left undone in SQL, Solidity and shell',
  check: (tree): Report => {
    const files = tree.texts.filter(({ path }) => /\.(?:sql|sol|sh)$|^(?:vintem|\.ci\/run)$/.test(path))
    return {
      checked: files.length,
      what: 'files',
      findings: files.flatMap(({ path, text }) =>
        [...text.matchAll(/\b(?:TODO|FIXME|XXX|HACK)\b/g)].map(
          (match) => `${path}:${lineAt(text, match.index)} says ${match[0]}: do it, or open an issue`,
        ),
      ),
    }
  },
}

function search(tree: Tree, ban: Ban): Report {
  const files = codeFiles(tree).filter(({ path }) => ban.applies(path))
  return {
    checked: files.length,
    what: 'files',
    findings: files.flatMap((file) => findingsIn(tree, file, ban)),
  }
}

function findingsIn(tree: Tree, file: SourceFile, ban: Ban): readonly string[] {
  const view = tree.views(file)[ban.within ?? 'code']
  return [...view.matchAll(ban.pattern)]
    .filter((match) => ban.except?.(file.path, view.slice(0, match.index)) !== true)
    .map((match) => {
      const found = match[0].replaceAll(/\s+/g, ' ').slice(0, 40)
      return `${file.path}:${lineAt(file.text, match.index)} has ${found}: use ${ban.instead}`
    })
}

/** The name of the last function declared in `before`. */
function functionAt(before: string): string | undefined {
  return [...before.matchAll(/\bfunction\s+([\w$]+)/g)].at(-1)?.[1]
}
