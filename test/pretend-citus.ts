// Where Citus keeps a cell, told by a plain PostgreSQL: its three tables in the cell's schema, with the columns that Citus 13 documents. The
// node is the address of the same PostgreSQL under another name.
import type { Sql } from '#/db/client.ts'

/** The tables of Citus, with the cell's tables `head` and `entry` on the groups that are given. */
export async function pretendCitus(owner: Sql, groups: Readonly<Record<string, number>>, port: string) {
  await owner.unsafe(`
    create table pg_dist_node (nodeid integer, groupid integer, nodename text, nodeport integer, noderole text, isactive boolean);
    create table pg_dist_shard (logicalrelid regclass, shardid bigint);
    create table pg_dist_placement (placementid bigint, shardid bigint, shardstate integer, groupid integer);
    insert into pg_dist_node values (1, 0, 'coordinator.example', 5432, 'primary', true), (2, 1, 'localhost', ${port}, 'primary', true),
      (3, 2, 'node-2.example', 5432, 'primary', true), (4, 1, 'standby.example', 5432, 'secondary', true),
      (5, 1, 'gone.example', 5432, 'primary', false)`)
  for (const [index, [table, group]] of Object.entries(groups).entries())
    await owner.unsafe(`
      insert into pg_dist_shard values ('${table}'::regclass, ${index + 1});
      insert into pg_dist_placement values (${index + 1}, ${index + 1}, 1, ${group}), (${index + 100}, ${index + 1}, 4, 2)`)
}
