import { commonWords } from '#/kernel/common-words.ts'
import { counted } from '#/kernel/dictionary.ts'
import { dictionary } from './dictionary.ts'

/** Jobs in the operator's console. */
export const operatorJobWords = dictionary({
  title: ['Tarefas', 'Jobs', 'Tareas'],
  job: ['Tarefa', 'Job', 'Tarea'],
  kinds: {
    verify: ['Conferir a contabilidade', 'Verify the books', 'Verificar la contabilidad'],
    balances: ['Comparar saldos', 'Compare balances', 'Comparar saldos'],
    sweep: ['Recolher depósitos', 'Collect deposits', 'Recoger depósitos'],
    rescue: ['Resgatar moedas', 'Rescue coins', 'Rescatar monedas'],
    'connection.test': ['Testar conexão', 'Test a connection', 'Probar conexión'],
    'connection.register': ['Registrar endereço', 'Register an address', 'Registrar dirección'],
    'statement.import': ['Importar arquivos do banco', 'Import bank files', 'Importar archivos del banco'],
  },
  leads: {
    verify: [
      'Recalcula toda a contabilidade e diz se algo ficou sem explicação. Não muda nada.',
      'Recalculates all the books and says whether anything is unexplained. It changes nothing.',
      'Recalcula toda la contabilidad y dice si algo queda sin explicar. No cambia nada.',
    ],
    balances: [
      'Pergunta a cada provedor o saldo e compara com a contabilidade. Não muda nada.',
      'Asks each provider for its balance and compares it with the books. It changes nothing.',
      'Pregunta a cada proveedor el saldo y lo compara con la contabilidad. No cambia nada.',
    ],
    sweep: [
      'Recolhe agora o que está nos endereços de depósito.',
      'Collects now what is at deposit addresses.',
      'Recoge ahora lo que está en las direcciones de depósito.',
    ],
    rescue: [
      'Envia à tesouraria o que está em um endereço de depósito e não é pagamento.',
      'Sends to the treasury what is at a deposit address and is not a payment.',
      'Envía a la tesorería lo que está en una dirección de depósito y no es un pago.',
    ],
  },
  kind: ['Tarefa', 'Job', 'Tarea'],
  run: ['Executar', 'Run now', 'Ejecutar'],
  started: ['A tarefa foi solicitada', 'The job was requested', 'Se solicitó la tarea'],
  none: ['Nenhuma tarefa ainda', 'No jobs yet', 'Aún no hay tareas'],
  noneFound: ['Nenhuma tarefa encontrada', 'No job found', 'No se encontró ninguna tarea'],
  noneFoundLead: commonWords.changeFilters,
  noneLead: [
    'Execute uma acima. O andamento aparece aqui.',
    'Run one above. Its progress appears here.',
    'Ejecute una arriba. Su avance aparece aquí.',
  ],
  states: {
    QUEUED: ['Na fila', 'In the queue', 'En cola'],
    RUNNING: commonWords.underWay,
    DONE: ['Concluída', 'Done', 'Terminada'],
    FAILED: ['Falhou', 'Failed', 'Falló'],
    CANCELED: ['Cancelada', 'Canceled', 'Cancelada'],
  },
  queued: ['Aguarda um worker livre.', 'It is waiting for a free worker.', 'Espera un worker libre.'],
  running: ['Em andamento.', 'In progress.', 'En curso.'],
  checked: (what: string, count: string) => [
    `Conferido: ${count} de ${what}`,
    `Checked: ${count} of ${what}`,
    `Verificado: ${count} de ${what}`,
  ],
  swept: (count: string) =>
    counted(
      count,
      [`${count} endereço recolhido`, `${count} address collected`, `${count} dirección recogida`],
      [`${count} endereços recolhidos`, `${count} addresses collected`, `${count} direcciones recogidas`],
    ),
  canceling: ['Termina no próximo passo.', 'It ends at its next step.', 'Termina en el próximo paso.'],
  cancelTitle: ['Cancelar a tarefa', 'Cancel the job', 'Cancelar la tarea'],
  cancelLead: [
    'Uma tarefa na fila termina agora; uma em andamento termina no próximo passo.',
    'A job in the queue ends now; one in progress ends at its next step.',
    'Una tarea en cola termina ahora; una en curso termina en su próximo paso.',
  ],
  cancelDone: [
    'O cancelamento foi solicitado',
    'The cancellation was requested',
    'Se solicitó la cancelación',
  ],
  took: ['Duração', 'Duration', 'Duración'],
  requestedAt: ['Solicitada', 'Requested', 'Solicitada'],
  arguments: ['Dados informados', 'Input', 'Datos indicados'],
  result: ['Resultado', 'Result', 'Resultado'],
  failed: ['Por que falhou', 'Why it failed', 'Por qué falló'],
  verifyGood: [
    'Cada centavo da contabilidade tem explicação.',
    'Every cent in the books is explained.',
    'Cada centavo de la contabilidad tiene explicación.',
  ],
  verifyBad: (count: string) =>
    counted(
      count,
      [
        `${count} problema encontrado. Bloqueie as saídas e procure a causa antes de continuar.`,
        `${count} problem was found. Freeze money out, and find the cause before you go on.`,
        `Se encontró ${count} problema. Bloquee las salidas y busque la causa antes de seguir.`,
      ],
      [
        `${count} problemas encontrados. Bloqueie as saídas e procure a causa antes de continuar.`,
        `${count} problems were found. Freeze money out, and find the cause before you go on.`,
        `Se encontraron ${count} problemas. Bloquee las salidas y busque la causa antes de seguir.`,
      ],
    ),
  balancesGood: [
    'Os saldos de todos os provedores conferem com a contabilidade.',
    'The balances of all providers match the books.',
    'Los saldos de todos los proveedores coinciden con la contabilidad.',
  ],
  balancesBad: (count: string) =>
    counted(
      count,
      [
        `${count} saldo difere. Abra o extrato do provedor e compare.`,
        `${count} balance differs. Open the provider’s statement and compare.`,
        `${count} saldo difiere. Abra el extracto del proveedor y compare.`,
      ],
      [
        `${count} saldos diferem. Abra o extrato do provedor e compare.`,
        `${count} balances differ. Open the provider’s statement and compare.`,
        `${count} saldos difieren. Abra el extracto del proveedor y compare.`,
      ],
    ),
  booked: ['Na contabilidade', 'In the books', 'En la contabilidad'],
  held: ['No provedor', 'At the provider', 'En el proveedor'],
  own: ['Seus fundos próprios lá', 'Your own funds there', 'Sus fondos propios allí'],
  difference: ['Diferença', 'Difference', 'Diferencia'],
  verdicts: {
    agrees: ['Confere', 'Matches', 'Coincide'],
    explained: [
      'Explicado pelo que está a caminho',
      'Explained by what is on its way',
      'Explicado por lo que está en camino',
    ],
    differs: ['Difere', 'Differs', 'Difiere'],
    silent: ['O provedor não respondeu', 'The provider did not answer', 'El proveedor no respondió'],
    not_reported: [
      'O provedor não informa saldo',
      'The provider reports no balance',
      'El proveedor no informa saldo',
    ],
  },
  testGood: [
    'O provedor respondeu a tudo.',
    'The provider answered everything.',
    'El proveedor respondió a todo.',
  ],
  testBad: [
    'Algo não funcionou. Corrija o que está indicado e teste de novo.',
    'Something did not work. Fix what is marked and test again.',
    'Algo no funcionó. Corrija lo marcado y pruebe de nuevo.',
  ],
  registered: [
    'O endereço foi registrado no provedor.',
    'The address was registered at the provider.',
    'Se registró la dirección en el proveedor.',
  ],
  byHand: [
    'Este provedor não aceita registro automático: cadastre o endereço no painel dele.',
    'This provider takes no automatic registration: enter the address in its own dashboard.',
    'Este proveedor no acepta registro automático: registre la dirección en su panel.',
  ],
  waiting: ['Recolhimentos que falharam', 'Collections that failed', 'Recogidas que fallaron'],
  chain: ['Rede (quando há várias)', 'Chain (where there are several)', 'Red (si hay varias)'],
  addressWrong: [
    'Escreva um endereço: 0x e 40 dígitos hexadecimais.',
    'Enter an address: 0x and 40 hexadecimal digits.',
    'Escriba una dirección: 0x y 40 dígitos hexadecimales.',
  ],
  token: [
    'Moeda: endereço do contrato, ou native',
    'Coin: the contract’s address, or native',
    'Moneda: dirección del contrato, o native',
  ],
  whole: ['Resultado completo', 'The whole result', 'Resultado completo'],
  open: ['Abrir tarefa', 'Open job', 'Abrir tarea'],
})
