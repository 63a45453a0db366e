"""Both clients at a server that answers as the test chooses: what is sent, what is sent again, and what is not."""

from __future__ import annotations

import asyncio
import gzip
import itertools
import json
import pickle
import re
import socket
import time
from typing import Any
from urllib.parse import unquote

import httpx
import pytest
from conftest import Client
from receiver import Asked, Reply, answer, problem, receiver

from vintem import AsyncVintem, Vintem, VintemConnectionError, VintemProblem, VintemSignatureError, is_problem

PAYMENT = {"amount": 1000, "currency": "BRL", "paymentMethods": ["PIX"], "idempotencyKey": "order-1"}
WITHDRAWAL = {"type": "PIX", "amount": 1, "currency": "BRL", "pixKey": "a@b.co", "pixKeyType": "EMAIL"}


def create(vintem: Any) -> Any:
    return vintem.payments.create(PAYMENT)


def test_a_payment_is_posted_with_the_key_and_its_answer_keeps_every_field(do: Client) -> None:
    with receiver(lambda *_: answer({"id": "p-1", "status": "NEW_WORD", "fieldOfTomorrow": [1]}, 201)) as site:
        assert do(site.origin, create) == {"id": "p-1", "status": "NEW_WORD", "fieldOfTomorrow": [1]}
    [call] = site.calls
    assert (call.verb, call.path, json.loads(call.body)) == ("POST", "/v1/payments", PAYMENT)
    assert (call.headers["apikey"], call.headers.get("idempotency-key")) == ("vtm_test_1", None), "the body has it"
    assert call.headers["content-type"] == "application/json"


def test_a_payment_without_a_key_of_the_caller_is_not_sent(do: Client) -> None:
    with receiver(lambda *_: answer({}, 201)) as site:
        for body in ({"amount": 1000}, {"amount": 1000, "idempotencyKey": None}):
            with pytest.raises(ValueError, match="needs an idempotencyKey"):
                do(site.origin, lambda vintem: vintem.payments.create(body))
    assert site.calls == []


def test_what_the_service_recognises_is_sent_again_with_the_same_key(do: Client) -> None:
    def busy(_: Asked, count: int) -> Reply:
        return problem("unavailable", 503, retry_after="0") if count < 3 else answer({"id": "w"}, 201)

    with receiver(busy) as site:
        assert do(site.origin, lambda vintem: vintem.withdrawals.create(WITHDRAWAL)) == {"id": "w"}
    keys = site.header("idempotency-key")
    assert len(keys) == 3 and len(set(keys)) == 1
    assert re.fullmatch("[0-9a-f-]{36}", str(keys[0]))


def test_a_key_of_the_caller_is_the_key_in_the_body_or_as_an_argument(do: Client) -> None:
    with receiver(lambda *_: answer({"id": "w"}, 201)) as site:
        do(site.origin, lambda vintem: vintem.withdrawals.create({**WITHDRAWAL, "idempotencyKey": "mine"}))
        do(site.origin, lambda vintem: vintem.withdrawals.create(WITHDRAWAL, idempotency_key="mine"))
    assert site.header("idempotency-key") == [None, "mine"]


def test_what_the_service_cannot_recognise_is_sent_once_when_no_answer_came(do: Client) -> None:
    with receiver(lambda *_: None) as silent, pytest.raises(VintemConnectionError) as found:
        do(silent.origin, lambda vintem: vintem.payments.capture("p-1"), timeout=0.2)
    assert found.value.is_timeout
    assert len(silent.calls) == 1

    with receiver(lambda *_: problem("unavailable", 503, retry_after="0")) as failing, pytest.raises(VintemProblem):
        do(failing.origin, lambda vintem: vintem.payments.capture("p-1"))
    assert len(failing.calls) == 1


def test_it_is_sent_again_after_429_alone(do: Client) -> None:
    def busy(_: Asked, count: int) -> Reply:
        return problem("rate_limited", 429, retry_after="0") if count == 1 else answer({"id": "p-1"})

    with receiver(busy) as site:
        do(site.origin, lambda vintem: vintem.payments.capture("p-1"))
    assert len(site.calls) == 2


def test_a_wrong_address_is_named_where_nobody_answers(do: Client) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(VintemConnectionError, match=str(port)) as found:
            do(f"http://127.0.0.1:{port}", lambda vintem: vintem.me.get(), max_retries=0)
    assert not found.value.is_timeout


def test_retry_after_is_respected_and_more_than_a_minute_is_an_error_at_once(do: Client) -> None:
    def busy(_: Asked, count: int) -> Reply:
        return problem("unavailable", 503, retry_after="1") if count == 1 else answer({})

    started = time.monotonic()
    with receiver(busy) as site:
        do(site.origin, lambda vintem: vintem.me.get())
    assert time.monotonic() - started >= 1

    with receiver(lambda *_: problem("unavailable", 503, retry_after="3600")) as site, pytest.raises(VintemProblem) as found:
        do(site.origin, lambda vintem: vintem.me.get())
    assert found.value.retry_after == 3600
    assert len(site.calls) == 1


def test_a_date_in_retry_after_is_read_and_nonsense_is_none(do: Client) -> None:
    for header, least, most in (("Fri, 31 Dec 2100 23:59:59 GMT", 1e9, 1e10), ("Fri, 31 Dec 1999 23:59:59 GMT", 0, 0)):
        with receiver(lambda *_: problem("unavailable", 503, retry_after=header)) as site, pytest.raises(VintemProblem) as found:
            do(site.origin, lambda vintem: vintem.me.get(), max_retries=0)
        assert found.value.retry_after is not None and least <= found.value.retry_after <= most
    with receiver(lambda *_: problem("unavailable", 503, retry_after="soon")) as site, pytest.raises(VintemProblem) as found:
        do(site.origin, lambda vintem: vintem.me.get(), max_retries=0)
    assert found.value.retry_after is None


def test_a_refusal_has_its_code_fields_and_request_and_is_not_sent_again(do: Client) -> None:
    errors = [{"pointer": "/amount", "code": "minimum", "message": "at least 1"}]
    body = {"title": "Wrong", "detail": "amount", "status": 400, "code": "invalid_request", "requestId": "r-9", "errors": errors}
    with receiver(lambda *_: answer(body, 400)) as site, pytest.raises(VintemProblem, match="Wrong: amount") as found:
        do(site.origin, create)
    refused = found.value
    assert is_problem(refused, "invalid_request") and not is_problem(refused, "not_found")
    assert (refused.status, refused.request_id, refused.errors[0]["pointer"]) == (400, "r-9", "/amount")
    assert len(site.calls) == 1


def test_a_page_of_a_proxy_leaves_the_status_alone(do: Client) -> None:
    with receiver(lambda *_: Reply(502, {}, b"<html>Bad gateway")) as site, pytest.raises(VintemProblem) as found:
        do(site.origin, create, max_retries=0)
    assert (found.value.status, found.value.code, found.value.errors, found.value.body) == (502, "unknown", [], None)


def list_page(asked: Asked, _: int) -> Reply:
    if "cursor=two" in asked.path:
        return answer({"data": [{"id": "c"}]})
    return answer({"data": [{"id": "a"}, {"id": "b"}], "nextCursor": "two"})


def test_a_list_is_every_record_of_every_page(do: Client) -> None:
    with receiver(list_page) as site:
        found = do(site.origin, lambda vintem: vintem.payments.list(status="PAID", metadata={"orderId": "A 1"}))
    assert [each["id"] for each in found] == ["a", "b", "c"]
    first, second = (unquote(call.path) for call in site.calls)
    assert first == "/v1/payments?status=PAID&metadata[orderId]=A+1"
    assert second == f"{first}&cursor=two"


def test_a_page_of_a_list_is_the_first_or_the_one_behind_a_cursor(do: Client) -> None:
    with receiver(list_page) as site:
        first = do(site.origin, lambda vintem: vintem.payments.list().page())
        second = do(site.origin, lambda vintem: vintem.payments.list().page(first["nextCursor"]))
    assert (len(first["data"]), second) == (2, {"data": [{"id": "c"}]})
    assert len(site.calls) == 2


def test_arguments_of_a_query_are_named_as_in_python_and_sent_as_the_api_names_them(do: Client) -> None:
    with receiver(lambda *_: answer({"data": []})) as site:
        do(site.origin, lambda vintem: vintem.payments.list(from_="2026-01-01", customer_email="a@b.co", amount=7))
    assert unquote(site.calls[0].path) == "/v1/payments?from=2026-01-01&customerEmail=a@b.co&amount=7"


def test_amounts_are_exact_beyond_what_a_float_holds(do: Client) -> None:
    with receiver(lambda *_: Reply(200, {}, b'{"id":"w","balance":9007199254740993}')) as site:
        found = do(site.origin, lambda vintem: vintem.wallets.get("w"))
        do(site.origin, lambda vintem: vintem.payments.create({**PAYMENT, "amount": 9007199254740993}))
    assert found["balance"] == 9007199254740993
    assert b'"amount": 9007199254740993' in site.calls[1].body


def test_ids_are_encoded_and_an_empty_one_calls_nothing(do: Client) -> None:
    with receiver(lambda *_: answer({"id": "x"})) as site:
        do(site.origin, lambda vintem: vintem.payments.get("../wallets?a=é"))
        for wrong in ("", ".", "..", None):
            with pytest.raises(ValueError):
                do(site.origin, lambda vintem: vintem.payments.get(wrong))
    assert [call.path for call in site.calls] == ["/v1/payments/..%2Fwallets%3Fa%3D%C3%A9"]


def test_a_client_that_acts_for_a_sub_account_says_so_and_the_first_one_does_not() -> None:
    with receiver(lambda *_: answer({"data": []})) as site:
        with Vintem(api_key="k", base_url=site.origin) as vintem:
            with vintem.acting_for("sub-1") as other:
                assert list(other.wallets.list()) == []
            assert list(vintem.wallets.list()) == [], "its connections are still open"

        async def both() -> None:
            async with AsyncVintem(api_key="k", base_url=site.origin) as vintem:
                async with vintem.acting_for("sub-2") as other:
                    assert [each async for each in other.wallets.list()] == []
                assert [each async for each in vintem.wallets.list()] == []

        asyncio.run(both())
    assert site.header("sub-account") == ["sub-1", None, "sub-2", None]


def test_a_redirect_is_not_followed_also_by_a_client_of_httpx_that_would() -> None:
    with receiver(lambda *_: Reply(302, {"location": "http://127.0.0.1:1/"})) as site:
        with httpx.Client(follow_redirects=True) as http:
            vintem = Vintem(api_key="k", base_url=site.origin, max_retries=0, http_client=http)
            with pytest.raises(VintemConnectionError, match="redirects to http://127.0.0.1:1/"):
                vintem.me.get()
            vintem.close()
            assert not http.is_closed


def test_an_answer_that_breaks_off_counts_as_none(do: Client) -> None:
    def broken(_: Asked, count: int) -> Reply:
        return answer({"id": "p-1"}) if count == 2 else Reply(200, {}, b'{"id":', length=100)

    with receiver(broken) as site:
        assert do(site.origin, lambda vintem: vintem.payments.get("p-1")) == {"id": "p-1"}
        with pytest.raises(VintemConnectionError):
            do(site.origin, lambda vintem: vintem.payments.cancel("p-1"))
    assert len(site.calls) == 3, "a cancellation is not sent again"


def test_an_answer_that_is_no_json_counts_as_none(do: Client) -> None:
    with receiver(lambda *_: Reply(200, {}, b"<html>Welcome")) as site, pytest.raises(VintemConnectionError):
        do(site.origin, lambda vintem: vintem.me.get(), max_retries=1)
    assert len(site.calls) == 2


def test_an_answer_that_comes_drop_by_drop_does_not_outlast_its_time(do: Client) -> None:
    started = time.monotonic()
    with receiver(lambda *_: Reply(200, {}, parts=itertools.repeat(b" "))) as site, pytest.raises(VintemConnectionError) as found:
        do(site.origin, lambda vintem: vintem.payments.cancel("p-1"), timeout=0.5)
    assert found.value.is_timeout
    assert time.monotonic() - started < 10


def test_an_answer_may_be_compressed(do: Client) -> None:
    packed = Reply(200, {"content-encoding": "gzip"}, gzip.compress(b'{"id":"p-1"}'))
    with receiver(lambda *_: packed) as site:
        assert do(site.origin, lambda vintem: vintem.payments.get("p-1")) == {"id": "p-1"}


def test_any_other_call_gives_the_answer_as_it_came(do: Client) -> None:
    with receiver(lambda *_: Reply(200, {"content-type": "text/csv"}, b"a;b\n")) as site:
        found = do(site.origin, lambda vintem: vintem.request("get", "/v1/wallets/statement?format=csv", headers={"accept": "text/csv"}))
        with pytest.raises(ValueError):
            do(site.origin, lambda vintem: vintem.request("GET", "@127.0.0.1:1/v1/me"))
    assert (found.text, found.status_code) == ("a;b\n", 200)
    [call] = site.calls
    assert (call.path, call.headers["accept"]) == ("/v1/wallets/statement?format=csv", "text/csv")


def test_options_of_one_call_go_before_those_of_the_client(do: Client) -> None:
    with receiver(lambda *_: None) as site, pytest.raises(VintemConnectionError):
        do(site.origin, lambda vintem: vintem.me.get(timeout=0.1, max_retries=1))
    assert len(site.calls) == 2
    with receiver(lambda *_: answer({})) as site, pytest.raises(TypeError):
        do(site.origin, lambda vintem: vintem.me.get(retries=1))


def test_a_header_that_cannot_be_sent_is_a_mistake_of_the_caller_and_not_sent_again(do: Client) -> None:
    with receiver(lambda *_: answer({})) as site, pytest.raises(httpx.LocalProtocolError):
        do(site.origin, lambda vintem: vintem.refunds.create("p-1", idempotency_key="a\nb"))
    assert site.calls == []


def test_a_wrong_setting_is_refused_and_space_around_a_key_is_cut_off(do: Client) -> None:
    usual: dict[str, Any] = {"api_key": "k", "base_url": "http://127.0.0.1:4000"}
    for wrong in ({"api_key": " "}, {"base_url": "127.0.0.1:4000"}, {"base_url": "ftp://a"}, {"base_url": "http://"}):
        with pytest.raises(ValueError):
            Vintem(**{**usual, **wrong})
    with receiver(lambda *_: answer({})) as site, Vintem(api_key="vtm_test_1\n", base_url=site.origin) as vintem:
        vintem.me.get()
    assert site.header("apikey") == ["vtm_test_1"]


def test_the_errors_go_from_process_to_process() -> None:
    refused = VintemProblem(409, {"title": "No", "code": "conflict", "requestId": "r-1"}, 2.0)
    unanswered = VintemConnectionError("no answer", True)
    unsigned = VintemSignatureError("no_match", "another secret")
    for error in (refused, unanswered, unsigned):
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))
