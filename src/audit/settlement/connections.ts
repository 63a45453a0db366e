// Connections, inspected: none serves another mode than its merchant, and none is looked through that is not there. Whether
// an attempt names one that fits is looked at with its payment.
import { eachPage, type Inspection, type Inspector } from '#/db/inspection.ts'
import * as queries from './connections-queries.ts'

export const connectionInspections: readonly Inspection[] = [
  { name: 'connections', inspect: inspectConnections },
]

const pageRows = 500

async function inspectConnections({ sql, saw, fault }: Inspector): Promise<void> {
  await eachPage<queries.ConnectionRow>(
    (after) => queries.selectConnections(sql, after, pageRows),
    (connections) => {
      saw('connections', connections.length)
      for (const { id, mode, merchantId, merchantMode } of connections) {
        if (merchantId !== null && merchantMode !== mode)
          fault(`connection ${id}`, `is ${mode}, but its merchant is ${merchantMode ?? 'not there'}`)
      }
    },
  )
  await eachPage<queries.PassRow>(
    (after) => queries.selectPasses(sql, after, pageRows),
    (looks) => {
      saw('looks', looks.length)
      for (const { connection, look, isConnected } of looks)
        if (!isConnected) fault(`look ${look} through ${connection}`, 'is at a connection that is not there')
    },
  )
}
