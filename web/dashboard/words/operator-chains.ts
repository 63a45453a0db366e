import { commonWords } from '#/kernel/common-words.ts'
import { counted } from '#/kernel/dictionary.ts'
import { dictionary } from './dictionary.ts'

/** Chains and our wallets there. */
export const operatorChainWords = dictionary({
  title: ['Redes e tesouraria', 'Chains and treasury', 'Redes y tesorería'],
  chains: ['Redes acompanhadas', 'Followed chains', 'Redes seguidas'],
  chainsNone: [
    'Nenhuma rede é acompanhada. Inicie um watcher para receber USDT.',
    'No chain is followed. Start a watcher to receive USDT.',
    'No se sigue ninguna red. Inicie un watcher para recibir USDT.',
  ],
  head: ['Até o bloco', 'Up to block', 'Hasta el bloque'],
  final: ['Definitivo até', 'Final up to', 'Definitivo hasta'],
  lag: (blocks: string) =>
    counted(
      blocks,
      [`${blocks} bloco de atraso`, `${blocks} block behind`, `${blocks} bloque de atraso`],
      [`${blocks} blocos de atraso`, `${blocks} blocks behind`, `${blocks} bloques de atraso`],
    ),
  lagNone: ['Em dia', 'Up to date', 'Al día'],
  lagUnknown: [
    'Atraso desconhecido: este processo não consulta nenhum nó',
    'Lag unknown: this process is connected to no node',
    'Atraso desconocido: este proceso no consulta ningún nodo',
  ],
  watched: ['Acompanhada', 'Followed', 'Seguida'],
  unwatched: ['Sem watcher', 'No watcher', 'Sin watcher'],
  isHalted: ['Parada', 'Halted', 'Detenida'],
  nodeFails: ['O nó não responde', 'The node does not answer', 'El nodo no responde'],
  advice: {
    compare_and_lift: [
      'Nada é creditado nesta rede. Compare com outros nós e, se estiver tudo certo, libere.',
      'Nothing is credited on this chain. Compare with other nodes and, if all is right, resume it.',
      'No se acredita nada en esta red. Compare con otros nodos y, si todo está bien, libérela.',
    ],
    start_watcher: [
      'Nenhum processo acompanha esta rede. Inicie um worker com o nó dela.',
      'No process follows this chain. Start a worker with its node.',
      'Ningún proceso sigue esta red. Inicie un worker con su nodo.',
    ],
    check_node: [
      'O nó não responde. Verifique o endereço e o serviço do nó.',
      'The node does not answer. Check its address and its service.',
      'El nodo no responde. Revise su dirección y su servicio.',
    ],
  },
  lift: ['Liberar', 'Resume', 'Liberar'],
  liftChainTitle: (chain: string) => [
    `Liberar a rede ${chain}`,
    `Resume ${chain}`,
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
      'O bloco {block} era definitivo e agora é outro: a rede mudou o que não podia mudar, ou o nó informa dados errados.',
      'Block {block} was final and is another one now: the chain changed what cannot change, or the node reports wrong data.',
      'El bloque {block} era definitivo y ahora es otro: la red cambió lo que no puede cambiar, o el nodo informa datos erróneos.',
    ],
    nonce_taken: [
      'Uma transação que não é nossa usou o nonce {nonce}: outra pessoa tem a chave desta carteira.',
      'A transaction that is not ours used the nonce {nonce}: somebody else has this wallet’s key.',
      'Una transacción que no es nuestra usó el nonce {nonce}: otra persona tiene la clave de esta billetera.',
    ],
    nonce_unknown: [
      'O nonce {nonce} nunca foi usado aqui e já está em uso: outra pessoa tem a chave desta carteira.',
      'The nonce {nonce} was never used here and is taken: somebody else has this wallet’s key.',
      'El nonce {nonce} nunca se usó aquí y ya está en uso: otra persona tiene la clave de esta billetera.',
    ],
    transfer_missing: [
      'Uma transação nossa foi concluída, mas o token não foi transferido como ela diz.',
      'A transaction of ours succeeded, but the token was not transferred as it says.',
      'Una transacción nuestra se completó, pero el token no se transfirió como ella dice.',
    ],
  },
  haltUnknown: [
    'O motivo está nos detalhes.',
    'The reason is in the details.',
    'El motivo está en los detalles.',
  ],
  wallets: ['Carteiras que enviam', 'Wallets that send', 'Billeteras que envían'],
  walletsNone: [
    'Nenhuma carteira envia desta instalação.',
    'No wallet sends from this installation.',
    'Ninguna billetera envía desde esta instalación.',
  ],
  purposes: {
    hot: commonWords.withdrawals,
    gas: ['Taxas da rede', 'Network fees', 'Comisiones de la red'],
    treasury: ['Tesouraria', 'Treasury', 'Tesorería'],
  },
  queued: ['na fila', 'in the queue', 'en cola'],
  open: ['em andamento', 'under way', 'en curso'],
  waitingFor: ['Falta', 'Short of', 'Falta'],
  waitings: {
    TOKENS: ['USDT', 'USDT', 'USDT'],
    GAS: ['moeda da rede', 'the chain’s coin', 'moneda de la red'],
    SIGNER: ['resposta do signer', 'the signer’s answer', 'respuesta del signer'],
  },
  isStopped: ['Parada', 'Stopped', 'Detenida'],
  stoppedAdvice: [
    'Nada sai desta carteira. Descubra a causa e depois libere a carteira:',
    'Nothing leaves this wallet. Find the cause, then resume it:',
    'Nada sale de esta billetera. Averigüe la causa y luego libérela:',
  ],
  refills: [
    'Reabastecimentos da carteira de saques',
    'Refills of the withdrawal wallet',
    'Recargas de la billetera de retiros',
  ],
  refillsNone: ['Nenhum reabastecimento ainda.', 'No refill yet.', 'Ninguna recarga todavía.'],
  refillByHand: ['assinado por você', 'signed by you', 'firmada por usted'],
  refillBySigner: ['pelo signer', 'by the signer', 'por el signer'],
  refillOpen: ['A caminho', 'On its way', 'En camino'],
  refillEnded: ['Encerrado', 'Ended', 'Terminada'],
  liftWalletTitle: ['Liberar a carteira', 'Resume the wallet', 'Liberar la billetera'],
  liftWalletLead: [
    'A carteira volta a enviar a partir do próximo nonce na rede. Descubra antes por que parou.',
    'It sends again from the next nonce on the chain. Find out first why it stopped.',
    'Vuelve a enviar desde el próximo nonce en la red. Averigüe antes por qué se detuvo.',
  ],
  liftWalletDone: ['A carteira envia de novo', 'The wallet sends again', 'La billetera envía de nuevo'],
  lasts: (count: string) =>
    counted(
      count,
      [`Dura ${count} transação`, `Lasts ${count} transaction`, `Alcanza para ${count} transacción`],
      [`Dura ${count} transações`, `Lasts ${count} transactions`, `Alcanza para ${count} transacciones`],
    ),
  low: ['Envie moeda da rede', 'Send the chain’s coin to it', 'Envíele moneda de la red'],
  gasFails: [
    'O nó não informa as taxas',
    'The node does not report the fees',
    'El nodo no informa las comisiones',
  ],
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
    'Transações pendentes há dez minutos',
    'Transactions pending for ten minutes',
    'Transacciones pendientes desde hace diez minutos',
  ],
  hangingNone: [
    'Nenhuma transação está parada.',
    'No transaction is stuck.',
    'Ninguna transacción está detenida.',
  ],
  nonce: ['Nonce', 'Nonce', 'Nonce'],
  isTaken: [
    'Outra transação usou o nonce: decida com ./vintem coins',
    'Another transaction used its nonce: decide with ./vintem coins',
    'Otra transacción usó su nonce: decida con ./vintem coins',
  ],
  found: ['Movimentos sem explicação', 'Unexplained movements', 'Movimientos sin explicación'],
  foundNone: [
    'Todo movimento das nossas moedas tem explicação.',
    'Every movement of our coins is explained.',
    'Todo movimiento de nuestras monedas tiene explicación.',
  ],
  came: ['Chegou', 'Arrived', 'Llegó'],
  left: ['Saiu', 'Left', 'Salió'],
  propose: ['Propor dono', 'Propose an owner', 'Proponer dueño'],
  proposeTitle: ['De quem são estas moedas?', 'Whose are these coins?', '¿De quién son estas monedas?'],
  proposeLead: [
    'Nada se move até que outra pessoa confirme.',
    'Nothing moves until another person confirms.',
    'Nada se mueve hasta que otra persona confirme.',
  ],
  proposed: [
    'A proposta aguarda outra pessoa',
    'The proposal is waiting for another person',
    'La propuesta espera a otra persona',
  ],
  confirm: ['Confirmar', 'Confirm', 'Confirmar'],
  confirmTitle: ['Confirmar o dono', 'Confirm the owner', 'Confirmar el dueño'],
  confirmLead: (merchant: string) => [
    `As moedas são creditadas na carteira padrão do lojista ${merchant}.`,
    `The coins are credited to the default wallet of the merchant ${merchant}.`,
    `Las monedas se acreditan en la billetera predeterminada del comercio ${merchant}.`,
  ],
  confirmed: ['As moedas foram creditadas', 'The coins were credited', 'Las monedas se acreditaron'],
  own: [
    'Sua proposta: outra pessoa confirma',
    'Your proposal: another person confirms',
    'Su propuesta: otra persona confirma',
  ],
  chain: ['Rede', 'Chain', 'Red'],
})
