package workers

import "github.com/rollcall-dev/rollcall/worker"

// productTexts holds the texts of ImportProduct by language. Further English texts are in products.go.
var productTexts = []worker.Option{
	worker.Messages("en", map[string]string{
		"BRAND_UNKNOWN.title": "Not known", "PRICE_NOT_POSITIVE.title": "Not above zero",
	}),
	worker.Messages("ru", map[string]string{
		"BRAND_UNKNOWN":            "Бренда «{brand}» нет",
		"BRAND_UNKNOWN.hint":       "Известные бренды: {brands}",
		"BRAND_UNKNOWN.title":      "Нет в списке",
		"PRICE_NOT_POSITIVE.title": "Не больше нуля",
		"PRICE_NOT_POSITIVE":       "Цена должна быть больше нуля",
		"Price.hint":               "Укажите цену без налога, например 12.50",
		"title":                    "Товары",
		"help":                     "Каждая строка добавляет товар в каталог или обновляет товар с тем же артикулом.",
		"SKU.title":                "Артикул",
		"Name.title":               "Название",
		"Price.title":              "Цена",
		"Stock.title":              "Остаток",
		"Brand.title":              "Бренд",
		"Start.title":              "Дата начала",
		"Note.title":               "Примечание",
	}),
	worker.Messages("zh", map[string]string{
		"BRAND_UNKNOWN":            "品牌“{brand}”不存在",
		"BRAND_UNKNOWN.hint":       "已知品牌：{brands}",
		"BRAND_UNKNOWN.title":      "未知",
		"PRICE_NOT_POSITIVE.title": "未大于零",
		"PRICE_NOT_POSITIVE":       "价格必须大于零",
		"Price.hint":               "请输入不含税价格，例如 12.50",
		"title":                    "商品",
		"help":                     "每一行会在目录中新增一个商品，或更新货号相同的商品。",
		"SKU.title":                "货号",
		"Name.title":               "名称",
		"Price.title":              "价格",
		"Stock.title":              "库存",
		"Brand.title":              "品牌",
		"Start.title":              "开始日期",
		"Note.title":               "备注",
	}),
	worker.Messages("vi", map[string]string{
		"BRAND_UNKNOWN":            "Không có thương hiệu “{brand}”",
		"BRAND_UNKNOWN.hint":       "Các thương hiệu: {brands}",
		"BRAND_UNKNOWN.title":      "Không có trong danh sách",
		"PRICE_NOT_POSITIVE.title": "Không lớn hơn 0",
		"PRICE_NOT_POSITIVE":       "Giá phải lớn hơn 0",
		"Price.hint":               "Nhập giá chưa gồm thuế, ví dụ 12.50",
		"title":                    "Sản phẩm",
		"help":                     "Mỗi dòng thêm một sản phẩm vào danh mục hoặc cập nhật sản phẩm có cùng mã.",
		"SKU.title":                "Mã hàng",
		"Name.title":               "Tên",
		"Price.title":              "Giá",
		"Stock.title":              "Tồn kho",
		"Brand.title":              "Thương hiệu",
		"Start.title":              "Ngày bắt đầu",
		"Note.title":               "Ghi chú",
	}),
}

// promoTexts holds the texts of ExportPromos in languages other than English.
var promoTexts = []worker.Option{
	worker.Messages("ru", map[string]string{
		"title": "Прайс-лист акции", "help": "Товары каталога с ценами по акции.",
		"Brand.title": "Бренд", "Brand.none": "Все бренды",
		"Discount.title": "Скидка, %", "Discount.hint": "От 1 до 90. Если пусто — 10.",
	}),
	worker.Messages("zh", map[string]string{
		"title": "促销价目表", "help": "目录中的商品及其促销价。",
		"Brand.title": "品牌", "Brand.none": "所有品牌",
		"Discount.title": "折扣（%）", "Discount.hint": "1 到 90。留空则为 10。",
	}),
	worker.Messages("vi", map[string]string{
		"title": "Bảng giá khuyến mãi", "help": "Các sản phẩm trong danh mục cùng giá khuyến mãi.",
		"Brand.title": "Thương hiệu", "Brand.none": "Tất cả thương hiệu",
		"Discount.title": "Giảm giá, %", "Discount.hint": "Từ 1 đến 90. Nếu để trống là 10.",
	}),
}
