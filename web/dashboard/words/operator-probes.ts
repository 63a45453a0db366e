import type { Texts } from '#/kernel/dictionary.ts'
import type { ProbeKey } from '#/rails/kit/probe.ts'
import { dictionary } from './dictionary.ts'

/** What the test of a connection says. */
export const operatorProbeWords = dictionary({
  /** As the server names it. */
  tested: {
    'collection: token, read what was received': [
      'recebimento: token e leitura do que chegou',
      'collection: token, reading what was received',
      'cobro: token y lectura de lo que llegó',
    ],
    'callbacks: token, read where they go': [
      'notificações: token e leitura do destino',
      'notifications: token, reading where they go',
      'notificaciones: token y lectura del destino',
    ],
    'refunds: token, read a refund': [
      'reembolsos: token e leitura de um reembolso',
      'refunds: token, reading a refund',
      'reembolsos: token y lectura de un reembolso',
    ],
    'payouts: token, read what was sent': [
      'saques: token e leitura do que foi enviado',
      'withdrawals: token, reading what was sent',
      'retiros: token y lectura de lo que se envió',
    ],
    'collection: certificate': ['recebimento: certificado', 'collection: certificate', 'cobro: certificado'],
    'refunds: certificate': ['reembolsos: certificado', 'refunds: certificate', 'reembolsos: certificado'],
    'payouts: certificate': ['saques: certificado', 'withdrawals: certificate', 'retiros: certificado'],
    payouts: ['saques', 'withdrawals', 'retiros'],
    refunds: ['reembolsos', 'refunds', 'reembolsos'],
    callbacks: ['notificações', 'notifications', 'notificaciones'],
    'local methods': ['formas de pagamento locais', 'local methods', 'medios de pago locales'],
    'collection: read what happened': [
      'recebimento: leitura do que aconteceu',
      'collection: reading what happened',
      'cobro: lectura de lo que pasó',
    ],
    'refunds: read refunds': ['reembolsos: leitura', 'refunds: reading refunds', 'reembolsos: lectura'],
    'collection: look for an order': [
      'recebimento: busca de um pedido',
      'collection: looking for an order',
      'cobro: búsqueda de un pedido',
    ],
    'callbacks: read the keys that sign them': [
      'notificações: leitura das chaves que as assinam',
      'notifications: reading the keys that sign them',
      'notificaciones: lectura de las claves que las firman',
    ],
    'refunds: look for a refund': [
      'reembolsos: busca de um reembolso',
      'refunds: looking for a refund',
      'reembolsos: búsqueda de un reembolso',
    ],
    account: ['conta', 'account', 'cuenta'],
  },
  /** Its values replace the names in braces. */
  said: {
    works: ['funciona', 'works', 'funciona'],
    received: [
      'funciona; recebidos no último minuto: {count}',
      'works; received in the last minute: {count}',
      'funciona; recibidos en el último minuto: {count}',
    ],
    sent: [
      'funciona; enviados por nós no último minuto: {count}',
      'works; sent by us in the last minute: {count}',
      'funciona; enviados por nosotros en el último minuto: {count}',
    ],
    events: [
      'funciona; eventos no último minuto: {count}',
      'works; events in the last minute: {count}',
      'funciona; eventos en el último minuto: {count}',
    ],
    keys: ['funciona; chaves: {count}', 'works; keys: {count}', 'funciona; claves: {count}'],
    goes_nowhere: [
      'ainda sem destino: registre o endereço',
      'no address yet: register it',
      'aún sin destino: registre la dirección',
    ],
    goes_to: ['para {url}', 'to {url}', 'a {url}'],
    valid_until: ['vale até {date}', 'valid until {date}', 'vale hasta {date}'],
    ended_on: ['venceu em {date}', 'expired on {date}', 'venció el {date}'],
    no_refunds: [
      'sem segredos que enviam dinheiro: nada pode ser reembolsado',
      'no secrets that send money out: nothing can be refunded',
      'sin secretos que envían dinero: nada se puede reembolsar',
    ],
    not_decrypted: [
      'não há segredos que possam ser abertos',
      'there are no secrets that can be opened',
      'no hay secretos que se puedan abrir',
    ],
    secrets_known: ['segredos conhecidos: {count}', 'known secrets: {count}', 'secretos conocidos: {count}'],
    no_secrets: [
      'sem webhookSecrets: nenhuma notificação é aceita',
      'no webhookSecrets: no notification is accepted',
      'sin webhookSecrets: no se acepta ninguna notificación',
    ],
    enabled: ['ativas: {methods}', 'enabled: {methods}', 'activos: {methods}'],
    nothing_to_call: [
      'não há o que consultar: o dinheiro é conhecido pelos arquivos que você importa',
      'there is nothing to ask: money is known from the files that you import',
      'no hay nada que consultar: el dinero se conoce por los archivos que usted importa',
    ],
  } satisfies Record<ProbeKey, Texts>,
})
