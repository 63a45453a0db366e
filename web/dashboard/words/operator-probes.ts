import type { Texts } from '#/kernel/dictionary.ts'
import type { ProbeKey } from '#/rails/kit/probe.ts'
import { dictionary } from './dictionary.ts'

/** What the test of a connection says. */
export const operatorProbeWords = dictionary({
  /** As the server names it. */
  tested: {
    'collection: token, read what was received': [
      'recebimento: token e leitura do que chegou',
      'collection: token, read what was received',
      'cobro: token y lectura de lo que llegó',
    ],
    'callbacks: token, read where they go': [
      'avisos: token e leitura de para onde vão',
      'callbacks: token, read where they go',
      'avisos: token y lectura de adónde van',
    ],
    'refunds: token, read a refund': [
      'reembolsos: token e leitura de uma',
      'refunds: token, read a refund',
      'reembolsos: token y lectura de una',
    ],
    'payouts: token, read what was sent': [
      'saques: token e leitura do que saiu',
      'payouts: token, read what was sent',
      'retiros: token y lectura de lo que salió',
    ],
    'collection: certificate': ['recebimento: certificado', 'collection: certificate', 'cobro: certificado'],
    'refunds: certificate': ['reembolsos: certificado', 'refunds: certificate', 'reembolsos: certificado'],
    'payouts: certificate': ['saques: certificado', 'payouts: certificate', 'retiros: certificado'],
    payouts: ['saques', 'payouts', 'retiros'],
    refunds: ['reembolsos', 'refunds', 'reembolsos'],
    callbacks: ['avisos', 'callbacks', 'avisos'],
    'local methods': ['métodos locais', 'local methods', 'métodos locales'],
    'collection: read what happened': [
      'recebimento: leitura do que aconteceu',
      'collection: read what happened',
      'cobro: lectura de lo que pasó',
    ],
    'refunds: read refunds': ['reembolsos: leitura', 'refunds: read refunds', 'reembolsos: lectura'],
    'collection: look for an order': [
      'recebimento: busca de um pedido',
      'collection: look for an order',
      'cobro: búsqueda de un pedido',
    ],
    'callbacks: read the keys that sign them': [
      'avisos: leitura das chaves que os assinam',
      'callbacks: read the keys that sign them',
      'avisos: lectura de las claves que los firman',
    ],
    'refunds: look for a refund': [
      'reembolsos: busca de uma',
      'refunds: look for a refund',
      'reembolsos: búsqueda de una',
    ],
    account: ['conta', 'account', 'cuenta'],
  },
  /** Its values replace the names in braces. */
  said: {
    works: ['funciona', 'works', 'funciona'],
    received: [
      'funciona, {count} no último minuto',
      'works, {count} in the last minute',
      'funciona, {count} en el último minuto',
    ],
    sent: [
      'funciona, {count} nossos no último minuto',
      'works, {count} of ours in the last minute',
      'funciona, {count} nuestros en el último minuto',
    ],
    events: [
      'funciona, {count} eventos no último minuto',
      'works, {count} events in the last minute',
      'funciona, {count} eventos en el último minuto',
    ],
    keys: ['funciona, chaves: {count}', 'works, keys: {count}', 'funciona, claves: {count}'],
    goes_nowhere: [
      'a lugar nenhum ainda: registre o endereço',
      'nowhere yet: register the address',
      'a ninguna parte todavía: registre la dirección',
    ],
    goes_to: ['para {url}', 'to {url}', 'a {url}'],
    valid_until: ['vale até {date}', 'valid until {date}', 'vale hasta {date}'],
    ended_on: ['venceu em {date}', 'ended on {date}', 'venció el {date}'],
    no_refunds: [
      'sem segredos que enviam dinheiro: nada pode ser devolvido',
      'no secrets that send money: nothing can be given back',
      'sin secretos que envían dinero: nada se puede devolver',
    ],
    not_decrypted: [
      'não há segredos que possam ser abertos',
      'there are no secrets that can be opened',
      'no hay secretos que se puedan abrir',
    ],
    secrets_known: ['segredos conhecidos: {count}', 'known secrets: {count}', 'secretos conocidos: {count}'],
    no_secrets: [
      'sem webhookSecrets: nenhum aviso é aceito',
      'no webhookSecrets: no callback is believed',
      'sin webhookSecrets: ningún aviso se acepta',
    ],
    enabled: ['ligados: {methods}', 'enabled: {methods}', 'activados: {methods}'],
    nothing_to_call: [
      'não há a quem perguntar: o dinheiro é conhecido pelos arquivos que você importa',
      'there is nothing to call: money is known from the files that you import',
      'no hay a quién preguntar: el dinero se conoce por los archivos que usted importa',
    ],
  } satisfies Record<ProbeKey, Texts>,
})
