// Inspects connections: each has the mode of its merchant, and each reconciliation pass is of a connection that exists. The
// inspection of payments checks that the connection of each attempt fits.
import { eachPage, type Inspection, type Inspector } from '#/db/inspection.ts'
import * as queries from './connections-queries.ts'

export const connectionInspections: readonly Inspection[] = [
  { name: 'connections', inspect: inspectConnections },
]

const pageRows = 500

async function inspectConnections({ sql, inspected, fault }: Inspector): Promise<void> {
  await eachPage<queries.ConnectionRow>(
    (after) => queries.selectConnections(sql, after, pageRows),
    (connections) => {
      inspected('connections', connections.length)
      for (const { id, mode, merchantId, merchantMode } of connections) {
        if (merchantId !== null && merchantMode !== mode)
          fault(`connection ${id}`, `is ${mode}, but its merchant is ${merchantMode ?? 'not there'}`)
      }
    },
  )
  await eachPage<queries.PassRow>(
    (after) => queries.selectPasses(sql, after, pageRows),
    (passes) => {
      inspected('passes', passes.length)
      for (const { connection, pass, isConnected } of passes)
        if (!isConnected) fault(`pass ${pass} through ${connection}`, 'is at a connection that is not there')
    },
  )
}
