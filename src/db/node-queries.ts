// Finds the node of a Citus cluster that holds a cell. Citus keeps a distributed schema on one node. Its own tables, which
// every node has, say on which (docs.citusdata.com, "Citus Tables and Views": pg_dist_shard, pg_dist_placement, pg_dist_node).
import { connect, type Sql } from './client.ts'
import { addressOf } from './address.ts'
import { StartError } from './start-error.ts'

/** `port` and `host` of a node as the cluster knows it. */
type Node = { readonly host: string; readonly port: number }

/**
 * The same URL at the node that holds the cell's tables. Unchanged where PostgreSQL has no Citus or the cell is not
 * distributed. Through the coordinator a charge costs PostgreSQL about three times the processor time. Role and password of the
 * URL must be valid at the node.
 * Throws StartError when the tables are on several nodes, because their schema is then not distributed as a whole.
 */
export async function urlAtNode(url: string): Promise<string> {
  const sql = connect(url, { max: 1, applicationName: 'vintem-node' })
  try {
    const nodes = await selectNodes(sql)
    const [node, ...others] = nodes
    if (node === undefined) return url
    if (others.length > 0)
      throw new StartError(
        `The tables of this cell are on several nodes: ${nodes.map(({ host, port }) => `${host}:${port}`).join(', ')}.`,
        "Distribute the cell's schema as a whole: citus_schema_distribute.",
      )
    return at(url, node)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** The nodes of the tables in the first schema of the search path. None where there is no Citus. */
async function selectNodes(sql: Sql): Promise<readonly Node[]> {
  const [catalog] = await sql<{ isThere: boolean }[]>`
    select to_regclass('pg_dist_shard') is not null and to_regclass('pg_dist_placement') is not null
           and to_regclass('pg_dist_node') is not null as "isThere"`
  if (catalog?.isThere !== true) return []
  // 1: the placement is whole. A node that is no primary is a standby of one (Citus: shardstate, noderole).
  return sql<Node[]>`
    select distinct node.nodename as host, node.nodeport as port
      from pg_dist_shard as shard
      join pg_class as relation on relation.oid = shard.logicalrelid
      join pg_dist_placement as placement on placement.shardid = shard.shardid and placement.shardstate = 1
      join pg_dist_node as node on node.groupid = placement.groupid and node.isactive and node.noderole::text = 'primary'
     where relation.relnamespace = current_schema()::regnamespace
     order by 1, 2`
}

function at(url: string, { host, port }: Node): string {
  const { url: first, isPrimaryOnly } = addressOf(url)
  const nodeUrl = new URL(first)
  // Of several hosts only one is left, and it may become a standby all the same.
  if (isPrimaryOnly) nodeUrl.searchParams.set('target_session_attrs', 'primary')
  nodeUrl.hostname = host.includes(':') ? `[${host}]` : host
  nodeUrl.port = String(port)
  return nodeUrl.href
}
