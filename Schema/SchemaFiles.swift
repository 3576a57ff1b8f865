/// The SQL of the product, one statement or migration a file, embedded in the binary.
package enum SchemaFiles {}
