import { dictionary } from './dictionary.ts'

/** Why a job failed, by the key of its failure, whose values replace the names in braces. */
export const operatorJobFailureWords = dictionary({
  unsure: [
    'Pode ter sido executada: verifique antes de solicitar de novo.',
    'It may have been carried out: check before you request it again.',
    'Puede haberse ejecutado: revise antes de solicitarla de nuevo.',
  ],
  failures: {
    worker_ended: [
      'O processo que a executava terminou no meio.',
      'Its worker stopped while it ran.',
      'El proceso que la ejecutaba terminó a la mitad.',
    ],
    too_long: [
      'Passou do tempo máximo de {minutes} min.',
      'It took longer than {minutes} min.',
      'Superó el tiempo máximo de {minutes} min.',
    ],
    result_too_large: [
      'Foi executada, mas o resultado é maior que {bytes} bytes.',
      'It was carried out, but its result is larger than {bytes} bytes.',
      'Se ejecutó, pero el resultado supera los {bytes} bytes.',
    ],
    connection_unknown: [
      'A conexão {connection} não existe, ou foi criptografada com chaves diferentes das deste processo (VINTEM_MASTER_KEY e VINTEM_WORKER_KEY).',
      'There is no connection {connection}, or it was encrypted with keys other than this worker’s (VINTEM_MASTER_KEY and VINTEM_WORKER_KEY).',
      'La conexión {connection} no existe, o se cifró con claves distintas de las de este proceso (VINTEM_MASTER_KEY y VINTEM_WORKER_KEY).',
    ],
    nothing_to_test: [
      'Esta conexão não tem provedor que possa ser consultado.',
      'This connection has no provider that can be asked.',
      'Esta conexión no tiene un proveedor que se pueda consultar.',
    ],
    nothing_to_register: [
      'Esta conexão não tem provedor que envie notificações.',
      'This connection has no provider that sends notifications.',
      'Esta conexión no tiene un proveedor que envíe notificaciones.',
    ],
    receives_nothing: [
      'Esta conexão não recebe dinheiro: as notificações vão para a conexão que recebe.',
      'This connection receives no money: notifications go to the connection that receives it.',
      'Esta conexión no recibe dinero: las notificaciones van a la conexión que lo recibe.',
    ],
    address_refused: [
      'O provedor recusou {url}: {why}.',
      'The provider rejected {url}: {why}.',
      'El proveedor rechazó {url}: {why}.',
    ],
    which_chain: [
      'Escolha a rede. Este processo está conectado a: {chains}.',
      'Choose the chain. This worker is connected to: {chains}.',
      'Elija la red. Este proceso está conectado a: {chains}.',
    ],
    chain_not_connected: [
      'Este processo não está conectado à rede {chain}, mas a: {chains}.',
      'This worker is not connected to the chain {chain}, but to: {chains}.',
      'Este proceso no está conectado a la red {chain}, sino a: {chains}.',
    ],
    no_gas_wallet: [
      'Este processo não tem carteira que pague o recolhimento em {chain}: configure a carteira quente (hot wallet) e a de gás dessa rede.',
      'This worker has no wallet that pays for collecting on {chain}: set the hot wallet and the gas wallet of that chain.',
      'Este proceso no tiene billetera que pague la recogida en {chain}: configure la billetera caliente y la de gas de esa red.',
    ],
    no_address: ['Isto não é um endereço.', 'This is not an address.', 'Esto no es una dirección.'],
    chain_not_followed: [
      'Nenhum processo acompanhou a rede {chain} ainda.',
      'No watcher has followed the chain {chain} yet.',
      'Ningún proceso ha seguido la red {chain} todavía.',
    ],
    files_gone: [
      'Um arquivo não está mais aqui: envie os arquivos de novo.',
      'A file is no longer here: upload the files again.',
      'Un archivo ya no está aquí: envíe los archivos de nuevo.',
    ],
    problem: ['A solicitação foi recusada.', 'The request was rejected.', 'La solicitud fue rechazada.'],
    provider_refused: [
      'O provedor recusou a solicitação. Nada foi feito.',
      'The provider rejected the request. Nothing was done.',
      'El proveedor rechazó la solicitud. No se hizo nada.',
    ],
    provider_unavailable: [
      'O provedor não respondeu. Nada foi feito.',
      'The provider did not answer. Nothing was done.',
      'El proveedor no respondió. No se hizo nada.',
    ],
    broke: [
      'A tarefa não chegou ao fim. Os detalhes dizem onde parou.',
      'The job did not finish. The details say where it stopped.',
      'La tarea no llegó al final. Los detalles dicen dónde se detuvo.',
    ],
  },
})
