-- The tokens that payments on a chain are in, with the decimals of their contracts. Amounts of the books have 18 decimals for every token. The
-- release before this one reads chain.token.
create table chain_token (
  chain text not null,
  -- As the API names it.
  symbol text not null,
  address bytea not null constraint chain_token_address check (length(address) = 20),
  decimals integer not null constraint chain_token_decimals check (decimals between 2 and 18),
  primary key (chain, symbol),
  -- Deposits do not name their token.
  constraint chain_token_one unique (chain)
);
insert into chain_token (chain, symbol, address, decimals) select key, 'USDT', token, 18 from chain;
-- The name of the network in the API.
alter table chain add column network text not null default 'BSC';
