import { Ajv2020 } from 'ajv/dist/2020.js';
import document from '../../../../docs/bank/control.openapi.json' with { type: 'json' };

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false, strictTypes: false });
// What these are is judged by the reader of a bank's file.
for (const format of ['date', 'date-time', 'uri']) ajv.addFormat(format, true);
ajv.addKeyword('components');
ajv.addSchema({ $id: 'document', components: { schemas: document.components.schemas } });

/** Judges values by a schema of the document; throws where that is none of JSON Schema 2020-12. */
export function schemaOf(schema: object): (value: unknown) => unknown[] {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');
  const validate = ajv.compile(JSON.parse(text) as object);
  return (value) => {
    validate(value);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
  };
}
