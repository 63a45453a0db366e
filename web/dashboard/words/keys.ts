import { commonWords } from '#/kernel/common-words.ts'
import { counted } from '#/kernel/dictionary.ts'
import { dictionary } from './dictionary.ts'

/** API keys: the list, one key, and what is done with it. */
export const keyWords = dictionary({
  facts: commonWords.details,
  title: commonWords.apiKeys,
  lead: [
    'Com uma chave, seus programas chamam a API em nome desta conta. Dê a cada programa a sua, só com as permissões de que ele precisa.',
    'With a key, your programs call the API for this account. Give each program its own key, with only the permissions it needs.',
    'Con una clave, sus programas llaman a la API en nombre de esta cuenta. Dé a cada programa la suya, solo con los permisos que necesita.',
  ],
  none: ['Nenhuma chave ainda', 'No keys yet', 'Aún no hay claves'],
  noneLead: [
    'Crie a primeira para que seu programa possa chamar a API.',
    'Create the first one so your program can call the API.',
    'Cree la primera para que su programa pueda llamar a la API.',
  ],
  create: ['Criar chave', 'Create key', 'Crear clave'],
  nameHelp: [
    'O que vai usá-la: "Loja", "Relatório da noite".',
    'What will use it: “Shop”, “Nightly report”.',
    'Qué la usará: «Tienda», «Informe nocturno».',
  ],
  status: commonWords.state,
  statuses: {
    ACTIVE: commonWords.active,
    EXPIRED: ['Vencida', 'Expired', 'Vencida'],
    REVOKED: commonWords.revoked,
  },
  endsSoon: ['Vence em breve', 'Expires soon', 'Vence pronto'],
  createdBy: ['Criada por', 'Created by', 'Creada por'],
  createdAt: ['Criada', 'Created', 'Creada'],
  formerMember: [
    'Alguém que saiu da conta',
    'Someone who has left the account',
    'Alguien que dejó la cuenta',
  ],
  otherKey: ['Outra chave', 'Another key', 'Otra clave'],
  lastUsed: ['Último uso', 'Last used', 'Último uso'],
  never: ['nunca', 'never', 'nunca'],
  expires: commonWords.expires,
  expiresNever: ['não vence', 'never expires', 'no vence'],
  key: ['Chave', 'Key', 'Clave'],
  rights: ['Permissões', 'Permissions', 'Permisos'],
  rightsCount: (count: number, all: number) =>
    count === all
      ? ['Tudo', 'Everything', 'Todo']
      : counted(
          all,
          [`${count} de ${all} permissão`, `${count} of ${all} permission`, `${count} de ${all} permiso`],
          [`${count} de ${all} permissões`, `${count} of ${all} permissions`, `${count} de ${all} permisos`],
        ),
  rightsNone: [
    'Escolha pelo menos uma permissão.',
    'Choose at least one permission.',
    'Elija al menos un permiso.',
  ],
  rightsHelp: [
    'Só aparecem as que a sua função tem.',
    'Only those your role has are listed.',
    'Solo aparecen los que tiene su rol.',
  ],
  networks: ['Redes', 'Networks', 'Redes'],
  networksAll: ['de qualquer endereço', 'from any address', 'desde cualquier dirección'],
  networksHelp: [
    'Uma por linha, como 203.0.113.0/24 ou 198.51.100.7. Vazio: a chave funciona de qualquer endereço.',
    'One per line, such as 203.0.113.0/24 or 198.51.100.7. Empty: it works from any address.',
    'Una por línea, como 203.0.113.0/24 o 198.51.100.7. Vacío: funciona desde cualquier dirección.',
  ],
  networksWrong: [
    'Uma das linhas não é um endereço nem uma rede.',
    'One of the lines is not an address or a network.',
    'Una de las líneas no es una dirección ni una red.',
  ],
  expiry: ['Vencimento', 'Expiration', 'Vencimiento'],
  expiryNever: ['Nunca vence', 'Never expires', 'Nunca vence'],
  expiryDays: (count: number) =>
    counted(
      count,
      [`Em ${count} dia`, `In ${count} day`, `En ${count} día`],
      [`Em ${count} dias`, `In ${count} days`, `En ${count} días`],
    ),
  expiryYear: ['Em um ano', 'In one year', 'En un año'],
  expiryDate: ['Em uma data…', 'On a date…', 'En una fecha…'],
  expiryOn: ['Último dia', 'Last day', 'Último día'],
  made: ['A chave está pronta', 'The key is ready', 'La clave está lista'],
  madeLead: [
    'Guarde-a no cofre de segredos do seu programa, nunca no código nem em uma conversa.',
    'Store it where your program keeps its secrets, never in code or in a chat.',
    'Guárdela donde su programa guarda sus secretos, nunca en el código ni en un chat.',
  ],
  madeBefore: [
    'Esta chave já tinha sido criada e não pode ser mostrada de novo. Troque-a por uma nova.',
    'This key was created before and cannot be shown again. Rotate it to get a new one.',
    'Esta clave ya se había creado y no se puede mostrar otra vez. Cámbiela por una nueva.',
  ],
  roll: ['Trocar chave', 'Rotate key', 'Cambiar clave'],
  rollTitle: (name: string) => [
    `Trocar a chave ${name}?`,
    `Rotate the key ${name}?`,
    `¿Cambiar la clave ${name}?`,
  ],
  rollLead: [
    'Você recebe uma chave nova com o mesmo nome e as mesmas permissões. A atual continua valendo pelo tempo que você escolher, para trocar sem parar nada.',
    'You get a new key with the same name and permissions. The current one keeps working for as long as you choose, so you can switch without downtime.',
    'Recibe una clave nueva con el mismo nombre y los mismos permisos. La actual sigue valiendo el tiempo que elija, para cambiar sin detener nada.',
  ],
  rollOverlap: [
    'A chave atual continua valendo por',
    'The current key keeps working for',
    'La clave actual sigue valiendo por',
  ],
  rollNow: ['Nenhum tempo: ela para agora', 'No time: it stops now', 'Ningún tiempo: termina ahora'],
  rollHours: (count: number) =>
    counted(
      count,
      [`${count} hora`, `${count} hour`, `${count} hora`],
      [`${count} horas`, `${count} hours`, `${count} horas`],
    ),
  rollDays: (count: number) =>
    counted(
      count,
      [`${count} dia`, `${count} day`, `${count} día`],
      [`${count} dias`, `${count} days`, `${count} días`],
    ),
  rollDo: ['Criar a chave nova', 'Create the new key', 'Crear la clave nueva'],
  rolledFrom: ['No lugar de', 'Replaces', 'En lugar de'],
  change: ['Alterar', 'Change', 'Modificar'],
  changeTitle: ['Alterar a chave', 'Change the key', 'Modificar la clave'],
  changeLead: [
    'Uma chave só pode perder permissões; para dar mais, crie outra. A mudança vale em um segundo.',
    'A key can only lose permissions; to grant more, create another one. Changes take effect within a second.',
    'Una clave solo puede perder permisos; para dar más, cree otra. El cambio vale en un segundo.',
  ],
  changed: ['Chave alterada.', 'Key updated.', 'Clave modificada.'],
  revoke: ['Revogar', 'Revoke', 'Revocar'],
  revokeTitle: (name: string) => [
    `Revogar a chave ${name}?`,
    `Revoke the key ${name}?`,
    `¿Revocar la clave ${name}?`,
  ],
  revokeLead: (lastFour: string) => [
    `Todo programa que usa a chave com final ${lastFour} para em um segundo: as chamadas dele são recusadas com 401. Isto não pode ser desfeito.`,
    `Every program that uses the key ending in ${lastFour} stops within a second: its calls are rejected with 401. This cannot be undone.`,
    `Todo programa que usa la clave que termina en ${lastFour} se detiene en un segundo: sus llamadas se rechazan con 401. No se puede deshacer.`,
  ],
  revokeUsed: ['Último uso desta chave:', 'This key was last used:', 'Último uso de esta clave:'],
  revokeUnused: ['Esta chave nunca foi usada.', 'This key has never been used.', 'Esta clave nunca se usó.'],
  revokeRights: [
    'O que deixa de funcionar sem ela:',
    'What stops working without it:',
    'Lo que deja de funcionar sin ella:',
  ],
  revokeDo: ['Revogar para sempre', 'Revoke permanently', 'Revocar para siempre'],
  revokedDone: ['Chave revogada.', 'Key revoked.', 'Clave revocada.'],
  tooMuch: [
    'Esta chave pode mais que a sua função: você só pode revogá-la.',
    'This key can do more than your role: you can only revoke it.',
    'Esta clave puede más que su rol: usted solo puede revocarla.',
  ],
  resource: {
    payments: commonWords.payments,
    wallets: commonWords.wallets,
    withdrawals: commonWords.withdrawals,
    webhooks: ['Webhooks', 'Webhooks', 'Webhooks'],
    requests: ['Chamadas', 'Requests', 'Llamadas'],
    keys: ['Chaves', 'Keys', 'Claves'],
    subaccounts: commonWords.subAccounts,
    sandbox: ['Sandbox', 'Sandbox', 'Sandbox'],
  },
  resourceHelp: {
    payments: [
      'pagamentos, reembolsos, contestações',
      'payments, refunds, disputes',
      'pagos, reembolsos, disputas',
    ],
    wallets: [
      'saldos, extrato, transferências próprias',
      'balances, statement, own transfers',
      'saldos, extracto, transferencias propias',
    ],
    withdrawals: [
      'saques, lotes, agendamentos',
      'withdrawals, batches, schedules',
      'retiros, lotes, programaciones',
    ],
    webhooks: [
      'eventos, entregas, endereços',
      'events, deliveries, endpoints',
      'eventos, entregas, direcciones',
    ],
    requests: ['o registro das chamadas', 'the request log', 'el registro de llamadas'],
    keys: ['outras chaves', 'other keys', 'otras claves'],
    subaccounts: ['vendedores e suas chaves', 'sellers and their keys', 'vendedores y sus claves'],
    sandbox: [
      'simular pagamentos, relógio, testes de integração',
      'simulated payments, clock, integration tests',
      'simular pagos, reloj, pruebas de integración',
    ],
  },
  right: {
    read: ['ver', 'read', 'ver'],
    write: ['criar e mudar', 'write', 'crear y cambiar'],
    approve: ['aprovar', 'approve', 'aprobar'],
    act: ['agir por elas', 'act for them', 'actuar por ellas'],
    use: ['usar', 'use', 'usar'],
  },
  all: ['Marcar tudo', 'Select all', 'Marcar todo'],
  onlyRead: ['Só ver', 'Read only', 'Solo ver'],
})
