import { commonWords } from '#/kernel/common-words.ts'
import { counted } from '#/kernel/dictionary.ts'
import { dictionary } from './dictionary.ts'

/** Chains and our wallets there. */
export const operatorChainWords = dictionary({
  title: ['Redes e tesouraria', 'Chains and treasury', 'Redes y tesorería'],
  chains: ['Redes acompanhadas', 'Followed chains', 'Redes seguidas'],
  chainsNone: [
    'Nenhuma rede é acompanhada. Inicie um observador para receber USDT.',
    'No chain is followed. Start a watcher to receive USDT.',
    'No se sigue ninguna red. Inicie un observador para recibir USDT.',
  ],
  head: ['Até o bloco', 'Up to block', 'Hasta el bloque'],
  final: ['Definitivo até', 'Final up to', 'Definitivo hasta'],
  lag: (blocks: string) => [`${blocks} blocos atrás`, `${blocks} blocks behind`, `${blocks} bloques atrás`],
  lagNone: ['Em dia', 'Up to date', 'Al día'],
  lagUnknown: [
    'Atraso desconhecido: este processo não pergunta a nenhum nó',
    'Lag unknown: this process asks no node',
    'Atraso desconocido: este proceso no pregunta a ningún nodo',
  ],
  watched: ['Acompanhada', 'Followed', 'Seguida'],
  unwatched: ['Sem observador', 'No watcher', 'Sin observador'],
  isHalted: ['Parada', 'Halted', 'Detenida'],
  nodeFails: ['O nó não responde', 'The node does not answer', 'El nodo no responde'],
  advice: {
    compare_and_lift: [
      'Nada é creditado nesta rede. Compare com outros nós e, se estiver certo, libere.',
      'Nothing is credited on this chain. Compare with other nodes and, if it is right, lift it.',
      'No se acredita nada en esta red. Compare con otros nodos y, si está bien, libérela.',
    ],
    start_watcher: [
      'Nenhum processo acompanha esta rede. Inicie um trabalhador com o nó dela.',
      'No process follows this chain. Start a worker with its node.',
      'Ningún proceso sigue esta red. Inicie un trabajador con su nodo.',
    ],
    check_node: [
      'O nó não responde. Verifique o endereço e o serviço do nó.',
      'The node does not answer. Check its address and its service.',
      'El nodo no responde. Revise su dirección y su servicio.',
    ],
  },
  lift: ['Liberar', 'Lift', 'Liberar'],
  liftChainTitle: (chain: string) => [
    `Liberar a rede ${chain}`,
    `Lift the halt of ${chain}`,
    `Liberar la red ${chain}`,
  ],
  liftChainLead: [
    'O que foi retido é creditado. Compare antes com outros nós.',
    'What was held back is credited. Compare with other nodes first.',
    'Se acredita lo retenido. Compare antes con otros nodos.',
  ],
  liftChainDone: ['A rede é acompanhada de novo', 'The chain is followed again', 'La red se sigue de nuevo'],
  halted: ['Por que parou', 'Why it is halted', 'Por qué se detuvo'],
  halts: {
    finality_changed: [
      'O bloco {block} era definitivo e agora é outro: a rede voltou atrás no que não podia mudar, ou o nó mente.',
      'Block {block} was final and is another one now: the chain took back what cannot change, or the node lies.',
      'El bloque {block} era definitivo y ahora es otro: la red deshizo lo que no puede cambiar, o el nodo miente.',
    ],
    nonce_taken: [
      'Uma transação que não é nossa usou o número {nonce}: outra pessoa tem a chave desta carteira.',
      'A transaction that is not ours used the number {nonce}: somebody else has this wallet’s key.',
      'Una transacción que no es nuestra usó el número {nonce}: otra persona tiene la clave de esta billetera.',
    ],
    nonce_unknown: [
      'O número {nonce} nunca foi usado aqui e já está tomado: outra pessoa tem a chave desta carteira.',
      'The number {nonce} was never used here and is taken: somebody else has this wallet’s key.',
      'El número {nonce} nunca se usó aquí y ya está tomado: otra persona tiene la clave de esta billetera.',
    ],
    transfer_missing: [
      'Uma transação nossa deu certo, mas o token não se moveu como ela diz.',
      'A transaction of ours succeeded, but the token did not move as it says.',
      'Una transacción nuestra tuvo éxito, pero el token no se movió como ella dice.',
    ],
  },
  haltUnknown: [
    'A razão está nos detalhes.',
    'The reason is in the details.',
    'La razón está en los detalles.',
  ],
  wallets: ['Carteiras que enviam', 'Wallets that send', 'Billeteras que envían'],
  walletsNone: [
    'Nenhuma carteira envia desta instalação.',
    'No wallet sends from this installation.',
    'Ninguna billetera envía desde esta instalación.',
  ],
  purposes: {
    hot: commonWords.withdrawals,
    gas: ['Taxas da rede', 'Network fees', 'Tasas de la red'],
    treasury: ['Tesouraria', 'Treasury', 'Tesorería'],
  },
  queued: ['na fila', 'in the queue', 'en cola'],
  open: ['em andamento', 'under way', 'en curso'],
  waitingFor: ['Falta', 'Short of', 'Falta'],
  waitings: {
    TOKENS: ['USDT', 'USDT', 'USDT'],
    GAS: ['moeda da rede', 'the chain’s coin', 'moneda de la red'],
    SIGNER: ['resposta do assinador', 'the signer’s answer', 'respuesta del firmante'],
  },
  isStopped: ['Parada', 'Stopped', 'Detenida'],
  stoppedAdvice: [
    'Nada sai desta carteira. Descubra a causa e depois libere-a:',
    'Nothing leaves this wallet. Find out the cause, and then lift it:',
    'Nada sale de esta billetera. Averigüe la causa y luego libérela:',
  ],
  refills: [
    'Reabastecimentos da carteira de saques',
    'Refills of the wallet that pays out',
    'Recargas de la billetera de retiros',
  ],
  refillsNone: ['Nenhum reabastecimento ainda.', 'No refill yet.', 'Ninguna recarga todavía.'],
  refillByHand: ['assinado por você', 'signed by you', 'firmada por usted'],
  refillBySigner: ['pelo assinador', 'by the signer', 'por el firmante'],
  refillOpen: ['A caminho', 'On its way', 'En camino'],
  refillEnded: ['Encerrado', 'Ended', 'Terminada'],
  liftWalletTitle: ['Liberar a carteira', 'Lift the stop of the wallet', 'Liberar la billetera'],
  liftWalletLead: [
    'Volta a enviar a partir do próximo número na rede. Descubra antes por que parou.',
    'It sends again from the next number on the chain. Find out first why it stopped.',
    'Vuelve a enviar desde el próximo número en la red. Averigüe antes por qué se detuvo.',
  ],
  liftWalletDone: ['A carteira envia de novo', 'The wallet sends again', 'La billetera envía de nuevo'],
  lasts: (count: string) =>
    counted(
      count,
      [`Dura ${count} transação`, `Lasts ${count} transaction`, `Alcanza para ${count} transacción`],
      [`Dura ${count} transações`, `Lasts ${count} transactions`, `Alcanza para ${count} transacciones`],
    ),
  low: ['Envie moeda da rede', 'Send the chain’s coin to it', 'Envíele moneda de la red'],
  gasFails: ['O nó não diz as taxas', 'The node does not tell the fees', 'El nodo no dice las tasas'],
  sweeps: ['Recolhimentos que falharam', 'Collections that failed', 'Recogidas que fallaron'],
  sweepsNone: ['Nenhum recolhimento falhou.', 'No collection failed.', 'Ninguna recogida falló.'],
  sweep: ['Recolher agora', 'Collect now', 'Recoger ahora'],
  fails: (count: string) =>
    counted(
      count,
      [`${count} falha`, `${count} failure`, `${count} fallo`],
      [`${count} falhas seguidas`, `${count} failures in a row`, `${count} fallos seguidos`],
    ),
  again: ['Nova tentativa', 'Next try', 'Nuevo intento'],
  hanging: [
    'Transações sem fim há dez minutos',
    'Transactions without an end for ten minutes',
    'Transacciones sin fin desde hace diez minutos',
  ],
  hangingNone: [
    'Nenhuma transação está presa.',
    'No transaction hangs.',
    'Ninguna transacción está detenida.',
  ],
  nonce: ['Número', 'Number', 'Número'],
  isTaken: [
    'Outra transação usou o número: decida com ./vintem coins',
    'Another transaction has its number: decide with ./vintem coins',
    'Otra transacción usó su número: decida con ./vintem coins',
  ],
  found: ['Movimentos sem explicação', 'Unexplained movements', 'Movimientos sin explicación'],
  foundNone: [
    'Todo movimento das nossas moedas tem explicação.',
    'Every movement of our coins is explained.',
    'Todo movimiento de nuestras monedas tiene explicación.',
  ],
  came: ['Chegou', 'Came', 'Llegó'],
  left: ['Saiu', 'Left', 'Salió'],
  propose: ['Propor dono', 'Propose an owner', 'Proponer dueño'],
  proposeTitle: ['De quem são estas moedas?', 'Whose are these coins?', '¿De quién son estas monedas?'],
  proposeLead: [
    'Nada se move até que outra pessoa confirme.',
    'Nothing moves until another person confirms.',
    'Nada se mueve hasta que otra persona confirme.',
  ],
  proposed: [
    'A proposta espera por outra pessoa',
    'The proposal waits for another person',
    'La propuesta espera a otra persona',
  ],
  confirm: ['Confirmar', 'Confirm', 'Confirmar'],
  confirmTitle: ['Confirmar o dono', 'Confirm the owner', 'Confirmar el dueño'],
  confirmLead: (merchant: string) => [
    `As moedas são creditadas à carteira padrão da conta ${merchant}.`,
    `The coins are credited to the default wallet of the merchant ${merchant}.`,
    `Las monedas se acreditan en la billetera predeterminada del comercio ${merchant}.`,
  ],
  confirmed: ['As moedas foram creditadas', 'The coins were credited', 'Las monedas fueron acreditadas'],
  own: [
    'Sua proposta: outra pessoa confirma',
    'Your proposal: another person confirms',
    'Su propuesta: otra persona confirma',
  ],
  chain: ['Rede', 'Chain', 'Red'],
})
