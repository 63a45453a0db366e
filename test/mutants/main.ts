// Measures the tests: `npm run test:mutants -- <room> [--count n] [--seed s]`. Makes mutants of the room's files, runs the tests that reach each of
// them, and says which lived. `--most n`: the number of test files for one mutant, nearest first. `--again`: records anew what each test
// reaches. `--files part`: only files whose path holds it.
import { parseArgs } from 'node:util'
import { openScratch } from '../../scripts/test-scratch.ts'
import { startTestCluster } from '../postgres.ts'
import { measure, type Measured } from './measure.ts'
import { rooms } from './rooms.ts'

process.exitCode = await main()

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      count: { type: 'string', default: '40' },
      seed: { type: 'string', default: '1' },
      most: { type: 'string', default: '40' },
      files: { type: 'string', default: '' },
      again: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  const unknown = positionals.filter((room) => !(room in rooms))
  if (positionals.length === 0 || unknown.length > 0) {
    console.error(
      `${unknown.length > 0 ? `no room is called ${unknown.join(', ')}; ` : ''}rooms: ${Object.keys(rooms).join(' ')}`,
    )
    return 1
  }
  using scratch = openScratch('memory')
  process.env.TMPDIR = scratch.folder
  const cluster = await startTestCluster()
  process.env['VINTEM_TEST_DATABASE'] = cluster.url
  try {
    const { again, files } = values
    const [count, seed, most] = [values.count, values.seed, values.most].map(Number) as [
      number,
      number,
      number,
    ]
    let isGood = true
    for (const room of positionals) {
      const measured = await measure(room, {
        count,
        seed,
        most,
        files,
        again,
        say: (line) => console.log(line),
      })
      console.log(lineOf(room, measured, seed))
      isGood &&= measured.caught >= 0.9 * measured.tried && measured.tried > 0
    }
    return isGood ? 0 : 1
  } finally {
    await cluster.stop()
  }
}

function lineOf(room: string, { tried, caught, refused }: Measured, seed: number): string {
  const share = tried === 0 ? 0 : Math.floor((100 * caught) / tried)
  return `${room}: ${caught} of ${tried} caught (${share} %), seed ${seed}; ${refused} more that the compiler refuses`
}
