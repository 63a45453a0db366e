import { randomBytes } from 'node:crypto'
import { connect } from '#/db/client.ts'
import { migrate } from '#/db/migrate.ts'

const cluster = process.env['DEV_CLUSTER'] ?? 'postgres://owner@127.0.0.1:54477/postgres'
export async function testDatabase() {
  const name = `t_${randomBytes(6).toString('hex')}`
  const admin = connect(cluster, { max: 1 })
  await admin.unsafe(`create database ${name}`)
  await admin.end()
  const at = (user: string) => {
    const u = new URL(cluster)
    u.username = user
    u.pathname = `/${name}`
    return u.href
  }
  await migrate(at('owner'), { appRole: 'vintem_app' })
  return {
    url: at('vintem_app'),
    ownerUrl: at('owner'),
    drop: async () => {
      const admin = connect(cluster, { max: 1 })
      await admin.unsafe(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}
