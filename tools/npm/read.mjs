// read.mjs FILE: prints each row of the first sheet of a workbook as JSON, read with exceljs.
import ExcelJS from "exceljs";

const book = new ExcelJS.Workbook();
await book.xlsx.readFile(process.argv[2]);
book.worksheets[0].eachRow((row) => console.log(JSON.stringify(row.values.slice(1).map((cell) => cell?.text ?? cell))));
