"""Starts the shop beside a sandbox: `npm start` in the repository's root comes first."""

import json
import os
from pathlib import Path

import uvicorn

from app import Shop, create_app
from orders import Orders
from vintem import AsyncVintem

HERE = Path(__file__).parent


def settings() -> tuple[str, str, str]:
    """Key, address and secret: those of the sandbox, unless the environment says otherwise."""
    given = [os.environ.get(name) for name in ("VINTEM_API_KEY", "VINTEM_API_URL", "VINTEM_WEBHOOK_SECRET")]
    if all(given):
        return str(given[0]), str(given[1]), str(given[2])
    # As for the sandbox itself, a relative folder begins at the repository's root.
    folder = HERE.parents[1] / os.environ.get("VINTEM_DATA_DIR", ".vintem")
    try:
        sandbox = json.loads((folder / "sandbox.json").read_text(encoding="utf-8"))
    except FileNotFoundError as cause:
        raise SystemExit(
            "No sandbox runs: npm start in the root first, or set VINTEM_API_URL, VINTEM_API_KEY and VINTEM_WEBHOOK_SECRET"
        ) from cause
    return sandbox["apiKey"], sandbox["apiUrl"], sandbox["webhookSecret"]


def main() -> None:
    api_key, base_url, webhook_secret = settings()
    port = int(os.environ.get("SHOP_PORT", "3000"))
    url = os.environ.get("SHOP_URL", f"http://127.0.0.1:{port}")
    orders = Orders(os.environ.get("SHOP_DB", str(HERE / "shop.db")))
    vintem = AsyncVintem(api_key=api_key, base_url=base_url)
    print(f"The shop opens at {url}", flush=True)
    app = create_app(Shop(vintem=vintem, orders=orders, webhook_secret=webhook_secret, url=url))
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning")


if __name__ == "__main__":
    main()
